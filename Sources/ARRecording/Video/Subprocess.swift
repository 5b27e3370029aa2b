// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that runs beside ours and whose standard output is read as it comes.
final class Subprocess {
    /// How a program ended.
    struct Ending {
        /// The exit status; negative is the signal that ended it.
        var status: Int32
        /// What it wrote to its standard error, from the end, at most 2000 bytes.
        var message: String
    }

    private let process: pid_t
    private let output: Int32
    private let errors: UnsafeMutablePointer<FILE>?
    private var ending: Ending?

    /// Held from making a pipe until its program runs: a program started in between would inherit the pipe's end, and
    /// keep it open.
    private static let spawning = NSLock()

    /// Starts a program of the search path, or returns `nil` when there is none of that name.
    init?(_ program: String, _ arguments: [String]) {
        Self.spawning.lock()
        defer { Self.spawning.unlock() }
        var pipeEnds: [Int32] = [-1, -1]
        guard pipe(&pipeEnds) == 0 else { return nil }
        for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = pipeEnds[0]
        // A file, not a second pipe: nobody has to read it while the program runs, however much it writes.
        errors = tmpfile()

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1)
        if let errors { posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2) }

        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, program, &actions, nil, &words, environ)
        close(pipeEnds[1])
        self.process = process
        guard status == 0 else {
            ending = Ending(status: status, message: "")
            return nil
        }
    }

    deinit {
        if ending == nil {
            kill(process, SIGKILL)
            _ = wait()
        }
        close(output)
        if let errors { fclose(errors) }
    }

    /// Fills the buffer from the program's output; fewer bytes than asked for mean that it ended.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let read = Glibc.read(output, buffer.baseAddress! + count, buffer.count - count)
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    /// All of the program's output, which must be short.
    func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = chunk.withUnsafeMutableBytes({ read(into: $0) }), count > 0 {
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }

    /// Waits until the program ends.
    func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        let ending = Ending(status: signal == 0 ? status >> 8 & 0xff : -signal, message: errorMessage())
        self.ending = ending
        return ending
    }

    private func errorMessage() -> String {
        guard let errors else { return "" }
        fseek(errors, 0, SEEK_END)
        fseek(errors, max(0, ftell(errors) - 2000), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 2000)
        let count = fread(&bytes, 1, bytes.count, errors)
        return String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
