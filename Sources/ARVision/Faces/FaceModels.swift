// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation

/// Why the models of faces cannot be used.
public enum FaceModelError: Error, Hashable, CustomStringConvertible {
    /// A cascade's file is not where it is looked for.
    case missingCascade(name: String, searched: [String])
    /// A file is no cascade.
    case brokenCascade(path: String)
    /// The network's file does not exist.
    case missingNetwork(path: String)
    /// A file is no network that OpenCV's YuNet detector can run.
    case brokenNetwork(path: String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .missingCascade(let name, let searched):
            "the cascade \(name) is missing: looked in \(searched.joined(separator: ", ")); install Debian's package "
                + "opencv-data (sudo apt-get install opencv-data), or name the folder that holds haarcascades and lbpcascades"
        case .brokenCascade(let path):
            "this file is no cascade that OpenCV can read: expected XML as opencv_traincascade writes it; install "
                + "opencv-data again: \(path)"
        case .missingNetwork(let path):
            "there is no model file here: give the ONNX file of OpenCV's YuNet, or none: \(path)"
        case .brokenNetwork(let path):
            "this file is no face network that OpenCV can run: expected the ONNX file of YuNet that fits the installed "
                + "OpenCV (4.6: face_detection_yunet_2022mar.onnx): \(path)"
        }
    }
}

/// What faces look like: cascades of weak classifiers that OpenCV ships, and a network where the user gives one.
public struct FaceModels: Sendable {
    /// Where Debian's package `opencv-data` puts the cascades, and where OpenCV's own installation does.
    public static let standardFolders = ["/usr/share/opencv4", "/usr/local/share/opencv4", "/usr/share/opencv"]

    /// Faces from the front: Lienhart's stump trees (`alt2`), and the older, more willing `default`.
    let trees, stumps: Cascade
    /// Faces from the front by local binary patterns: fast and rough.
    let patterns: Cascade
    let network: FaceNetwork?
    private let folders: [String]
    private let networkPath: String?

    /// Reads the models.
    ///
    /// - Parameters:
    ///   - folder: what holds `haarcascades` and `lbpcascades`; where Debian puts them when `nil`.
    ///   - network: the path of YuNet's ONNX file; then it, and not the cascades, finds faces.
    public init(folder: String? = nil, network: String? = nil) throws(FaceModelError) {
        let folders = folder.map { [$0] } ?? Self.standardFolders
        func cascade(_ name: String) throws(FaceModelError) -> Cascade {
            guard
                let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.fileExists(atPath:))
            else { throw .missingCascade(name: name, searched: folders) }
            return try Cascade(path: path)
        }
        self.folders = folders
        networkPath = network
        trees = try cascade("haarcascades/haarcascade_frontalface_alt2.xml")
        stumps = try cascade("haarcascades/haarcascade_frontalface_default.xml")
        patterns = try cascade("lbpcascades/lbpcascade_frontalface.xml")
        if let network { self.network = try FaceNetwork(path: network) } else { self.network = nil }
    }
}

/// Models are equal that were read from the same places.
extension FaceModels: Hashable {
    public static func == (a: FaceModels, b: FaceModels) -> Bool {
        (a.folders, a.networkPath) == (b.folders, b.networkPath)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(folders)
        hasher.combine(networkPath)
    }
}

/// A cascade that was read. One search runs in it at a time.
final class Cascade: @unchecked Sendable {
    private let handle: OpaquePointer
    private let lock = NSLock()

    init(path: String) throws(FaceModelError) {
        var handle: OpaquePointer?
        guard cfaces_open_cascade(path, &handle) == CFACES_OK, let handle else { throw .brokenCascade(path: path) }
        self.handle = handle
    }

    deinit { cfaces_close_cascade(handle) }

    /// The windows of a grey picture that pass, of those whose side lies in a range; none where the picture is smaller than
    /// the least, or has sides above ``ImageSize/longestSearchedSide``.
    func windows(in picture: ImageBuffer, sides: ClosedRange<Double>, step: Double) -> [CFacesWindow] {
        guard picture.size.canBeSearched, Double(picture.size.shorterSide) >= sides.lowerBound else { return [] }
        let longest = min(sides.upperBound, Double(ImageSize.longestSearchedSide))
        let (least, greatest) = (Int32(sides.lowerBound), Int32(longest))
        var scan = CFacesScan(
            scale_step: step, least_side_px: least, greatest_side_px: greatest, least_neighbors: 0)
        lock.lock()
        defer { lock.unlock() }
        let windows = [CFacesWindow](startingWith: CFacesWindow(), room: 4096) { windows, count in
            picture.withFacesPicture {
                cfaces_scan(handle, &$0, &scan, windows.baseAddress, Int32(windows.count), &count)
            } == CFACES_OK
        }
        guard let windows else { preconditionFailure("a cascade refused a picture of \(picture.size)") }
        // OpenCV takes the nearest of its own sizes where none lies in the range.
        return windows.filter { (Double(least)...Double(greatest)).contains($0.width_px) }
    }
}

/// YuNet, read from a file. One search runs in it at a time.
final class FaceNetwork: @unchecked Sendable {
    private let handle: OpaquePointer
    private let lock = NSLock()

    /// The score from which on a face is reported, the network's own default being 0.9.
    private static let leastScore = 0.6

    init(path: String) throws(FaceModelError) {
        guard FileManager.default.fileExists(atPath: path) else { throw .missingNetwork(path: path) }
        var handle: OpaquePointer?
        guard cfaces_open_network(path, Self.leastScore, &handle) == CFACES_OK, let handle else {
            throw .brokenNetwork(path: path)
        }
        self.handle = handle
        // Files for another version of OpenCV are read without complaint, and refused when they are to run.
        let trial = ImageBuffer(size: ImageSize(width: 64, height: 64), format: .rgb8, filledWith: 128)
        guard faces(in: trial) != nil else { throw .brokenNetwork(path: path) }
    }

    deinit { cfaces_close_network(handle) }

    /// The faces of a picture; `nil` where the network cannot run.
    func faces(in picture: ImageBuffer) -> [CFacesFace]? {
        lock.lock()
        defer { lock.unlock() }
        return [CFacesFace](startingWith: CFacesFace(), room: 256) { faces, count in
            picture.withFacesPicture {
                cfaces_detect(handle, &$0, faces.baseAddress, Int32(faces.count), &count)
            } == CFACES_OK
        }
    }
}

extension Array {
    /// What a kernel writes that says how many there are, also where these are more than it was given room for: then it is
    /// asked again, with room for all. `nil` where it fails.
    init?(
        startingWith empty: Element, room: Int,
        _ write: (UnsafeMutableBufferPointer<Element>, inout Int32) -> Bool
    ) {
        self.init(repeating: empty, count: room)
        while true {
            var found: Int32 = 0
            guard withUnsafeMutableBufferPointer({ write($0, &found) }) else { return nil }
            if Int(found) <= count {
                removeSubrange(Int(found)...)
                return
            }
            self = Self(repeating: empty, count: Int(found))
        }
    }
}

extension ImageSize {
    /// The columns or rows that a picture may have in which faces are looked for.
    static let longestSearchedSide = 16_384

    /// Whether no side is too long.
    var canBeSearched: Bool { max(width, height) <= Self.longestSearchedSide }
    /// The lesser of width and height.
    var shorterSide: Int { min(width, height) }
}

extension ImageBuffer {
    /// Calls a kernel that only reads the picture.
    func withFacesPicture<Result>(_ body: (inout CFacesPicture) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { pixels in
            var picture = CFacesPicture(
                pixels: pixels.baseAddress, width: Int32(size.width), height: Int32(size.height),
                bytes_per_row: Int32(bytesPerRow), channels: Int32(format.bytesPerPixel))
            return body(&picture)
        }
    }

    /// The grey picture made smaller by the mean over each pixel's area.
    func shrunk(to target: ImageSize) -> ImageBuffer {
        guard target != size else { return self }
        var smaller = ImageBuffer(size: target, format: .gray8)
        let status = withFacesPicture { picture in
            smaller.bytes.withUnsafeMutableBufferPointer {
                cfaces_shrink(&picture, Int32(target.width), Int32(target.height), $0.baseAddress)
            }
        }
        precondition(status == CFACES_OK, "a picture of \(size) cannot be made \(target)")
        return smaller
    }

    /// What the grey picture shows through a map.
    func resampled(through map: CFacesMap, size target: ImageSize) -> ImageBuffer {
        var result = ImageBuffer(size: target, format: .gray8)
        var map = map
        let status = withFacesPicture { picture in
            result.bytes.withUnsafeMutableBufferPointer {
                cfaces_resample(&picture, &map, Int32(target.width), Int32(target.height), $0.baseAddress)
            }
        }
        precondition(status == CFACES_OK, "a picture of \(size) cannot be seen through \(map)")
        return result
    }
}
