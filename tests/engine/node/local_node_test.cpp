// SPDX-License-Identifier: GPL-3.0-or-later
//
// The node of this process, steered and heard as a window does it.
#include "engine/node/local_node.h"

#include "tests/support/golden.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <mutex>

namespace constela::test {
namespace {

using node::AnswerEnd;
using node::AnswerId;
using node::ModelSnapshot;
using runtime::StopReason;

/// Remembers all that a node tells, and waits for what a test wants to see.
class Ear {
public:
    explicit Ear(node::Node& node) : node_(node)
    {
        node::Listener listener;
        listener.on_snapshot = [this](std::shared_ptr<const node::Snapshot> snapshot) {
            note([&] { snapshot_ = std::move(snapshot); });
        };
        listener.on_piece = [this](const node::AnswerPiece& piece) { note([&] { texts_[piece.id] += piece.text; }); };
        listener.on_end = [this](const AnswerEnd& end) { note([&] { ends_.emplace(end.id, end); }); };
        id_ = node_.add_listener(std::move(listener));
        note([&] { snapshot_ = node_.snapshot(); });
    }
    ~Ear() { node_.remove_listener(id_); }
    Ear(const Ear&) = delete;
    Ear& operator=(const Ear&) = delete;

    std::shared_ptr<const node::Snapshot> until(const std::function<bool(const node::Snapshot&)>& wanted)
    {
        wait([&] { return wanted(*snapshot_); });
        return snapshot_;
    }
    ModelSnapshot loaded(const std::filesystem::path& path)
    {
        node::LoadRequest request;
        request.path = path;
        return loaded(request);
    }
    ModelSnapshot loaded(const node::LoadRequest& request)
    {
        node_.load(request);
        return until([&](const node::Snapshot& snapshot) {
                   return snapshot.model.path == request.path && snapshot.model.state != ModelSnapshot::State::loading;
               })
            ->model;
    }
    AnswerEnd end_of(AnswerId id)
    {
        wait([&] { return ends_.count(id) == 1; });
        return ends_.at(id);
    }
    std::string text_of(AnswerId id, std::size_t at_least = 0)
    {
        wait([&] { return texts_[id].size() >= at_least; });
        return texts_[id];
    }

private:
    template <class Change>
    void note(const Change& change)
    {
        const std::lock_guard lock(mutex_);
        change();
        changed_.notify_all();
    }
    template <class Predicate>
    void wait(const Predicate& predicate)
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, std::chrono::seconds(100), predicate)) {
            throw std::runtime_error("the node did not do what the test waits for");
        }
    }

    node::Node& node_;
    node::ListenerId id_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<const node::Snapshot> snapshot_;
    std::map<AnswerId, std::string> texts_;
    std::map<AnswerId, AnswerEnd> ends_;
};

class LocalNodeTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (!golden_dir()) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
    }
    static std::filesystem::path tiny(const std::string& name) { return *golden_dir() / "logits" / (name + ".gguf"); }

    static node::AskRequest raw(const std::string& prompt, int tokens)
    {
        node::AskRequest request;
        request.raw = true;
        request.raw_prompt = prompt;
        request.options.sampling.temperature = 0;
        request.options.max_tokens = tokens;
        return request;
    }

    std::unique_ptr<node::Node> node_ = node::make_local_node({"studio"});
};

TEST_F(LocalNodeTest, LoadsAndAnswers)
{
    Ear ear(*node_);
    const ModelSnapshot model = ear.loaded(tiny("llama-Q4_K_M"));
    ASSERT_EQ(model.state, ModelSnapshot::State::ready) << (model.error ? model.error->text() : "");
    EXPECT_EQ(model.architecture, "llama");
    EXPECT_EQ(model.quantization, "Q4_K");
    EXPECT_EQ(model.context_length, 4096U);
    EXPECT_EQ(model.trained_context, 4096U);
    EXPECT_EQ(model.progress, 1.0);
    EXPECT_GT(model.memory_bytes, model.file_bytes);
    ASSERT_TRUE(model.template_notice); // these files bring no template
    EXPECT_FALSE(model.template_notice->text().empty());

    const AnswerId id = node_->ask(raw("hello", 12));
    const AnswerEnd end = ear.end_of(id);
    EXPECT_TRUE(end.reason == StopReason::max_tokens || end.reason == StopReason::end_token);
    EXPECT_EQ(end.stats.generated_tokens, end.tokens.size());
    EXPECT_GT(end.stats.prompt_tokens, 5U);
    EXPECT_EQ(end.devices, std::vector<std::string>{"studio/cpu0"});
    ear.until([](const node::Snapshot& snapshot) { return snapshot.answers.empty(); });

    // The same question once more, by the plain template and beside another, gives the same.
    node::AskRequest conversation;
    conversation.messages = {{"system", "Be brief."}, {"user", "hello"}};
    conversation.options = raw("", 8).options;
    const AnswerId other = node_->ask(conversation);
    const AnswerId again = node_->ask(raw("hello", 12));
    EXPECT_EQ(ear.end_of(again).tokens, end.tokens);
    EXPECT_EQ(ear.text_of(again), ear.text_of(id));
    EXPECT_GT(ear.end_of(again).stats.reused_tokens, 0U);
    EXPECT_NE(ear.end_of(other).reason, StopReason::failed);
}

TEST_F(LocalNodeTest, SaysWhatIsWrong)
{
    Ear ear(*node_);
    const AnswerEnd no_model = ear.end_of(node_->ask(raw("hello", 1)));
    EXPECT_EQ(no_model.reason, StopReason::failed);
    ASSERT_TRUE(no_model.error);
    EXPECT_EQ(no_model.error->text(), "No model is loaded; choose one first.");

    const TempDir folder;
    const ModelSnapshot missing = ear.loaded(folder.path() / "não há.gguf");
    EXPECT_EQ(missing.state, ModelSnapshot::State::failed);
    ASSERT_TRUE(missing.error);
    EXPECT_NE(missing.error->text().find("não há.gguf"), std::string::npos) << missing.error->text();

    node::LoadRequest unknown;
    unknown.path = tiny("llama");
    unknown.kernels = "abacus";
    const ModelSnapshot no_kernels = ear.loaded(unknown);
    ASSERT_TRUE(no_kernels.error);
    EXPECT_EQ(no_kernels.error->text(), "There are no kernels named abacus; there are reference, avx2, avx512, amx.");

    node::LoadRequest vast;
    vast.path = tiny("llama-F32");
    vast.context_length = 1U << 31U;
    const ModelSnapshot too_big = ear.loaded(vast);
    EXPECT_EQ(too_big.state, ModelSnapshot::State::failed);
    ASSERT_TRUE(too_big.error);
    EXPECT_NE(too_big.error->text().find("tiny random model needs 1"), std::string::npos) << too_big.error->text();
    EXPECT_NE(too_big.error->text().find(" are free."), std::string::npos) << too_big.error->text();
}

TEST_F(LocalNodeTest, RefusesAPromptThatDoesNotFit)
{
    Ear ear(*node_);
    node::LoadRequest small;
    small.path = tiny("llama");
    small.context_length = 16;
    ASSERT_EQ(ear.loaded(small).state, ModelSnapshot::State::ready);
    const AnswerEnd end = ear.end_of(node_->ask(raw(std::string(100, 'x'), 1)));
    EXPECT_EQ(end.reason, StopReason::failed);
    ASSERT_TRUE(end.error);
    EXPECT_NE(end.error->text().find("holds only 16"), std::string::npos) << end.error->text();
}

TEST_F(LocalNodeTest, CancelsAnAnswerAndTheOthersGoOn)
{
    Ear ear(*node_);
    ASSERT_EQ(ear.loaded(tiny("gemma3")).state, ModelSnapshot::State::ready);
    node::AskRequest endless = raw("once upon a time", -1);
    endless.options.sampling.logit_bias[2] = -1e9F; // no end token
    const AnswerId cancelled = node_->ask(endless);
    const AnswerId going = node_->ask(raw("hello", 30));
    ear.text_of(cancelled, 1);
    node_->cancel(cancelled);
    EXPECT_EQ(ear.end_of(cancelled).reason, StopReason::cancelled);
    const AnswerEnd end = ear.end_of(going);
    EXPECT_EQ(ear.end_of(node_->ask(raw("hello", 30))).tokens, end.tokens);
}

TEST_F(LocalNodeTest, ANewModelEndsTheAnswersOfTheOld)
{
    Ear ear(*node_);
    ASSERT_EQ(ear.loaded(tiny("llama")).state, ModelSnapshot::State::ready);
    node::AskRequest endless = raw("once upon a time", -1);
    endless.options.sampling.logit_bias[2] = -1e9F;
    const AnswerId id = node_->ask(endless);
    ear.text_of(id, 1);
    ASSERT_EQ(ear.loaded(tiny("qwen2")).state, ModelSnapshot::State::ready);
    EXPECT_EQ(ear.end_of(id).reason, StopReason::cancelled);
    node_->unload();
    ear.until([](const node::Snapshot& snapshot) { return snapshot.model.state == ModelSnapshot::State::none; });
}

TEST_F(LocalNodeTest, ACancelledLoadNeverComesBack)
{
    std::atomic<bool> gemma_was_ready = false;
    std::promise<void> inside;
    std::promise<void> gate;
    std::once_flag once;
    node::Listener guard; // holds the node back until both commands wait, so that the load cannot be quicker
    guard.on_snapshot = [&](const std::shared_ptr<const node::Snapshot>& snapshot) {
        gemma_was_ready = gemma_was_ready || (snapshot->model.state == ModelSnapshot::State::ready &&
                                              snapshot->model.path == tiny("gemma3"));
        std::call_once(once, [&] {
            inside.set_value();
            gate.get_future().wait();
        });
    };
    const node::ListenerId id = node_->add_listener(guard);
    inside.get_future().wait();
    node::LoadRequest request;
    request.path = tiny("gemma3");
    node_->load(request);
    node_->cancel_load();
    gate.set_value();
    Ear ear(*node_);
    ear.until([](const node::Snapshot& now) { return now.model.state == ModelSnapshot::State::none; });
    ASSERT_EQ(ear.loaded(tiny("llama")).state, ModelSnapshot::State::ready);
    node_->remove_listener(id);
    EXPECT_FALSE(gemma_was_ready);
    EXPECT_EQ(node_->snapshot()->model.path, tiny("llama"));
}

TEST_F(LocalNodeTest, AFileCutShortWhileItAnswersIsToldInWords)
{
    Ear ear(*node_);
    const TempDir folder;
    const std::filesystem::path copy = folder.path() / "model.gguf";
    std::filesystem::copy_file(tiny("llama"), copy);
    std::filesystem::permissions(copy, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
    ASSERT_EQ(ear.loaded(copy).state, ModelSnapshot::State::ready);
    std::filesystem::resize_file(copy, 1000);
    const AnswerEnd end = ear.end_of(node_->ask(raw("hello", 5)));
    EXPECT_EQ(end.reason, StopReason::failed);
    ASSERT_TRUE(end.error);
    EXPECT_NE(end.error->text().find("model.gguf"), std::string::npos) << end.error->text();
    const auto snapshot =
        ear.until([](const node::Snapshot& now) { return now.model.state == ModelSnapshot::State::failed; });
    EXPECT_TRUE(snapshot->model.error);
}

TEST_F(LocalNodeTest, EndsWhileItAnswers)
{
    auto ear = std::make_unique<Ear>(*node_);
    ASSERT_EQ(ear->loaded(tiny("llama")).state, ModelSnapshot::State::ready);
    node::AskRequest endless = raw("once upon a time", -1);
    endless.options.sampling.logit_bias[2] = -1e9F;
    ear->text_of(node_->ask(endless), 1);
    ear.reset(); // no listener hears the rest
    node_.reset();
}

TEST_F(LocalNodeTest, ShowsItsDevice)
{
    const auto snapshot = node_->snapshot();
    EXPECT_EQ(snapshot->node_name, "studio");
    ASSERT_EQ(snapshot->devices.size(), 1U);
    const node::DeviceSnapshot& cpu = snapshot->devices[0];
    EXPECT_EQ(cpu.id, "studio/cpu0");
    EXPECT_EQ(cpu.kind, "cpu");
    EXPECT_FALSE(cpu.name.empty());
    EXPECT_GE(cpu.threads, 1U);
    EXPECT_GT(cpu.memory_total, 0U);
    for (const node::Reading* reading : {&cpu.memory_free, &cpu.load, &cpu.temperature}) {
        EXPECT_EQ(reading->state == node::Reading::State::ok, reading->reason.empty());
    }
}

} // namespace
} // namespace constela::test
