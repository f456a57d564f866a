// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/embedding.h"

namespace constela::model {

namespace {

using device::Backend;
using device::Rows;

class Embedding final : public Shard {
public:
    Embedding(const device::Matrix& table, float factor)
        : Shard("embed", table.bytes(), std::nullopt), table_(table), factor_(factor)
    {
    }

    Rows forward(Backend& backend, const Step& step, device::KvStore* /*kv*/, Rows /*x*/) const override
    {
        const Rows x = backend.scratch(step.tokens.size(), table_.columns);
        backend.embed(table_, step.tokens, factor_, x);
        return x;
    }

private:
    device::Matrix table_;
    float factor_;
};

class Head final : public Shard {
public:
    Head(const Config& config, VectorWeights norm, const device::Matrix& output)
        : Shard("head", output.bytes() + norm.size() * sizeof(float), std::nullopt), norm_(std::move(norm)),
          output_(output), epsilon_(config.norm_epsilon), softcap_(config.final_softcap)
    {
    }

    Rows forward(Backend& backend, const Step& /*step*/, device::KvStore* /*kv*/, Rows x) const override
    {
        const Rows normed = backend.scratch(x.count, x.columns);
        backend.norm(x, norm_, epsilon_, normed);
        const Rows logits = backend.scratch(x.count, output_.rows);
        const device::Projection product{&output_, {}, logits};
        backend.project(normed, {&product, 1});
        if (softcap_ > 0) {
            backend.softcap(logits, softcap_);
        }
        return logits;
    }

private:
    VectorWeights norm_;
    device::Matrix output_;
    float epsilon_;
    float softcap_;
};

} // namespace

Result<std::unique_ptr<Shard>> make_embedding(const Config& config, Weights& weights, float factor)
{
    CONSTELA_ASSIGN(const device::Matrix table, weights.table("token_embd.weight", config.width, config.vocabulary));
    return std::make_unique<Embedding>(table, factor);
}

Result<std::unique_ptr<Shard>> make_head(const Config& config, Weights& weights)
{
    CONSTELA_ASSIGN(VectorWeights norm, weights.vector("output_norm.weight", config.width));
    const char* name = weights.has("output.weight") ? "output.weight" : "token_embd.weight";
    CONSTELA_ASSIGN(const device::Matrix output, weights.matrix(name, config.width, config.vocabulary));
    return std::make_unique<Head>(config, std::move(norm), output);
}

} // namespace constela::model
