// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARVision
import CCodes
import Foundation
import OpenCVEdges
import Timing

// Measures the rectangle detector and the code reader against the sum of OpenCV's edge detector and ZXing alone, on the
// pictures that are named, in turn. All is processor time of one thread.

let repetitions = 11

func text(_ value: Double) -> String { String(format: "%.2f", value) }

/// ZXing on the picture as it is, for the symbologies whose bits are given.
func readAlone(_ image: ImageBuffer, symbologies: UInt32) {
    var results = [CCodesResult](repeating: CCodesResult(), count: 64)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int32 = 0
    let status = image.bytes.withUnsafeBufferPointer { pixels in
        var picture = CCodesImage(
            pixels: pixels.baseAddress, width: Int32(image.size.width), height: Int32(image.size.height),
            bytes_per_row: Int32(image.bytesPerRow))
        return ccodes_read(
            &picture, symbologies, CCODES_THOROUGH, &results, Int32(results.count), &bytes, Int32(bytes.count), &count)
    }
    precondition(status == CCODES_OK, "ZXing failed")
}

func measure(_ image: ImageBuffer, onlyQR: Bool, minimumSize: Double, maximumObservations: Int) {
    var limits = RectangleDetector.Configuration()
    limits.maximumObservations = maximumObservations
    limits.minimumSize = minimumSize
    var kinds = CodeReader.Configuration()
    if onlyQR { kinds.symbologies = [.qr] }
    let (detector, reader) = (RectangleDetector(limits), CodeReader(kinds))
    let bits: UInt32 = onlyQR ? CCODES_QR.rawValue : 0x7fff
    var (rectangles, codes, edges, alone) = ([Double](), [Double](), [Double](), [Double]())
    for _ in 0..<repetitions {
        var found: [DetectedRectangle] = []
        rectangles.append(milliseconds { found = detector.detect(in: image) })
        codes.append(milliseconds { _ = reader.read(in: image, rectangles: found) })
        edges.append(
            milliseconds {
                _ = image.bytes.withUnsafeBufferPointer {
                    opencv_edges($0.baseAddress!, Int32(image.size.width), Int32(image.size.height))
                }
            })
        alone.append(milliseconds { readAlone(image, symbologies: bits) })
    }
    let ours = zip(rectangles, codes).map { $0 + $1 }
    let theirs = zip(edges, alone).map { $0 + $1 }
    let ratio = median(zip(ours, theirs).map { $0 / $1 })
    print(
        "  \(onlyQR ? "QR only " : "all codes"), size \(minimumSize), \(maximumObservations == 0 ? "any number" : "the best \(maximumObservations)"): rectangles \(text(median(rectangles))) + codes "
            + "\(text(median(codes))) ms; Canny \(text(median(edges))) + ZXing \(text(median(alone))) ms; "
            + "ratio \(text(ratio))")
}

for path in CommandLine.arguments.dropFirst() {
    let image = try ImageFile.read(URL(fileURLWithPath: path)).gray
    print("\(path): \(image.size)")
    for onlyQR in [true, false] {
        for (minimumSize, maximumObservations) in [(0.2, 1), (0.2, 0), (0.1, 8), (0.05, 0)] {
            measure(image, onlyQR: onlyQR, minimumSize: minimumSize, maximumObservations: maximumObservations)
        }
    }
}
