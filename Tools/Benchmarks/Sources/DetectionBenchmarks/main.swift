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
// pictures that are named, in turn. All is milliseconds of processor time of one thread. Rows: kinds of codes, the least size of
// rectangles and how many are asked for.

precondition(opencv_edges_keep_memory(), "malloc takes no advice")

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

/// What is asked for: all kinds of codes or QR codes alone, and how large the rectangles are that are looked for.
struct Question {
    var onlyQR: Bool
    var minimumSize: Double
    var maximumObservations: Int

    var name: String { "\(onlyQR ? "QR" : "all") \(minimumSize)/\(maximumObservations)" }
}

func measure(_ image: ImageBuffer, _ question: Question) -> Double {
    var limits = RectangleDetector.Configuration()
    limits.maximumObservations = question.maximumObservations
    limits.minimumSize = question.minimumSize
    var kinds = CodeReader.Configuration()
    if question.onlyQR { kinds.symbologies = [.qr] }
    let (detector, reader) = (RectangleDetector(limits), CodeReader(kinds))
    let bits: UInt32 = question.onlyQR ? CCODES_QR.rawValue : 0x7fff
    var (rectangles, both, edges, alone) = ([Double](), [Double](), [Double](), [Double]())
    for _ in 0..<repetitions {
        rectangles.append(milliseconds { _ = detector.detect(in: image) })
        both.append(milliseconds { _ = Detections(in: image, detector: detector, reader: reader) })
        edges.append(
            milliseconds {
                _ = image.bytes.withUnsafeBufferPointer {
                    opencv_edges($0.baseAddress!, Int32(image.size.width), Int32(image.size.height))
                }
            })
        alone.append(milliseconds { readAlone(image, symbologies: bits) })
    }
    let theirs = zip(edges, alone).map { $0 + $1 }
    let ratio = median(zip(both, theirs).map { $0 / $1 })
    row([question.name] + [rectangles, both, edges, alone].map { text(median($0)) } + [text(ratio)])
    return ratio
}

func row(_ cells: [String]) {
    print(cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined())
}

let questions = [true, false].flatMap { onlyQR in
    [(0.2, 1), (0.1, 8)].map { Question(onlyQR: onlyQR, minimumSize: $0.0, maximumObservations: $0.1) }
}
var worst: [String: Double] = [:]
for path in CommandLine.arguments.dropFirst() {
    let image = try ImageFile.read(URL(fileURLWithPath: path)).gray
    print("\(path): \(image.size)")
    row(["", "rectangles", "with codes", "Canny", "ZXing", "ratio"])
    for question in questions {
        worst[question.name] = max(worst[question.name] ?? 0, measure(image, question))
    }
}
print("the worst ratios: " + questions.map { "\($0.name) \(text(worst[$0.name] ?? 0))" }.joined(separator: ", "))
