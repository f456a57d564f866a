// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/fetcher.h"

#include "engine/cluster/weights/fetch_tasks.h"
#include "engine/gguf/gguf.h"
#include "engine/gguf/mapped_file.h"
#include "engine/gguf/printable.h"

#include <algorithm>

namespace constela::cluster {

namespace {

/// One fetch from its beginning to its end.
class Fetch {
public:
    Fetch(zmq::context_t& context, const KeyPair& own, FetchCache& cache, const FetchRequest& request)
        : context_(context), own_(own), cache_(cache), request_(request),
          name_(request.name.empty() ? to_text(request.model).substr(0, 12) : gguf::printable(request.name))
    {
    }

    Result<FetchedModel> run()
    {
        CONSTELA_TRY(open());
        CONSTELA_ASSIGN(const std::vector<ByteRange> ranges, needed());
        const std::vector<std::uint32_t> chunks = model_->missing(ranges);
        CONSTELA_TRY(model_->reserve(chunks));
        CONSTELA_TRY(get(chunks));
        CONSTELA_TRY(model_->sync());
        return FetchedModel{model_->paths(), model_};
    }

private:
    /// Connects when there is something to ask for: what is here already needs nobody.
    FetchSession& session()
    {
        if (!session_) {
            FetchSession::Options options;
            options.patience = request_.patience;
            options.cancelled = request_.cancelled;
            options.on_problem = request_.on_problem;
            options.when_cancelled =
                failure("Fetching the weights of the model {} was cancelled. What is here is kept.", name_).value();
            session_ = std::make_unique<FetchSession>(context_, own_, request_.peers, std::move(options));
        }
        return *session_;
    }

    Result<> open()
    {
        model_ = cache_.find(request_.model);
        if (model_ != nullptr) {
            return {};
        }
        ManifestTask task(session(), request_.model, name_);
        CONSTELA_TRY(session().run(task));
        CONSTELA_ASSIGN(model_, cache_.open_model(request_.model, task.take(), request_.name));
        return {};
    }

    Result<> get(const std::vector<std::uint32_t>& chunks)
    {
        if (chunks.empty()) {
            return {};
        }
        const std::uint64_t before = fetched_;
        ChunkTask task(session(), model_, chunks, name_, [&](std::uint64_t done, std::uint64_t total) {
            fetched_ = before + done;
            if (request_.on_progress) {
                request_.on_progress(fetched_, before + total);
            }
        });
        return session().run(task);
    }

    /// Gets chunks from the start of a part until its list of tensors can be read.
    Result<> get_head(std::size_t part)
    {
        const Manifest& manifest = model_->manifest();
        const std::uint64_t size = manifest.part_sizes[part];
        for (std::uint64_t bytes = std::min(kChunkBytes, size);; bytes = std::min(2 * bytes, size)) {
            CONSTELA_TRY(get(model_->missing(std::vector{ByteRange{part, 0, bytes}})));
            CONSTELA_ASSIGN(const auto mapped, gguf::MappedFile::open(model_->paths()[part]));
            // Behind the verified bytes there may be anything, zeros mostly: what it leads to counts only when all that
            // was read lies before.
            const auto parsed = gguf::parse(mapped->bytes(), name_);
            if (parsed && parsed->data_offset <= bytes) {
                return {};
            }
            if (bytes == size) {
                return parsed ? Result<>() : tl::unexpected<Error>(parsed.error());
            }
        }
    }

    Result<std::vector<ByteRange>> needed()
    {
        if (!request_.shards) {
            return whole_ranges(model_->manifest());
        }
        for (std::size_t part = 0; part < model_->manifest().part_sizes.size(); ++part) {
            CONSTELA_TRY(get_head(part));
        }
        CONSTELA_ASSIGN(const auto file, gguf::File::open(model_->paths().front()));
        return ranges_of_shards(*file, *request_.shards);
    }

    zmq::context_t& context_;
    const KeyPair& own_;
    FetchCache& cache_;
    const FetchRequest& request_;
    std::string name_;
    std::unique_ptr<FetchSession> session_;
    std::shared_ptr<CachedModel> model_;
    std::uint64_t fetched_ = 0;
};

} // namespace

Result<FetchedModel> Fetcher::fetch(const FetchRequest& request)
{
    return Fetch(context_, own_, *cache_, request).run();
}

} // namespace constela::cluster
