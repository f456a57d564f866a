// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/descriptor.h"
#include "engine/cluster/transport/local_endpoint.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <utility>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "node.sock";
constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

class SocketFile final : public LocalEndpoint {
public:
    SocketFile(fs::path folder, Descriptor descriptor, std::string file)
        : folder_(std::move(folder)), descriptor_(std::move(descriptor)), file_(std::move(file))
    {
    }

    Result<> bind(zmq::socket_t& server) override
    {
        try {
            server.bind("ipc://" + file_);
        } catch (const zmq::error_t& error) {
            return trouble(error.num());
        }
        if (chmod(file_.c_str(), S_IRUSR | S_IWUSR) != 0) {
            return trouble(errno);
        }
        return {};
    }

    Result<> connect(zmq::socket_t& client) override
    {
        try {
            client.connect("ipc://" + file_);
        } catch (const zmq::error_t& error) {
            return trouble(error.num());
        }
        return {};
    }

private:
    [[nodiscard]] tl::unexpected<Error> trouble(int code) const
    {
        return failure("The socket {} in the folder {} cannot be used: {}.", kFile, folder_.string(),
                       std::string_view(zmq_strerror(code)));
    }

    fs::path folder_;
    Descriptor descriptor_; ///< Of the folder, where the path goes over it.
    std::string file_;
};

} // namespace

Result<std::unique_ptr<LocalEndpoint>> LocalEndpoint::of(const fs::path& folder)
{
    Descriptor descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.number() < 0) {
        return failure("The folder {} cannot be opened: {}.", folder.string(), std::string_view(zmq_strerror(errno)));
    }
    std::string file = (folder / kFile).string();
    if (file.size() > kLongestPath) {
        // The system takes no longer path for a socket; by way of the opened folder it is short.
        const fs::path opened = "/proc/self/fd/" + std::to_string(descriptor.number());
        std::error_code error;
        if (!fs::is_directory(opened, error)) {
            return failure(
                "The path of the folder {} has {} bytes; for the socket in it at most {} are possible. Choose "
                "a folder with a shorter path.",
                folder.string(), folder.string().size(), kLongestPath - std::string_view(kFile).size() - 1);
        }
        file = (opened / kFile).string();
    }
    return std::make_unique<SocketFile>(folder, std::move(descriptor), std::move(file));
}

} // namespace constela::cluster
