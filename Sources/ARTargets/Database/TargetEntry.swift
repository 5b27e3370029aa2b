// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What a database's directory says of a target, checked and copied: the file may change while it is mapped.
struct TargetEntry: Sendable {
    let name: String
    /// Where the record is in the file.
    let record: Range<Int>
    let physicalWidth: Double?
    let pictureSize: ImageSize
    let templateSize: ImageSize
    let featureCount: Int
    /// Where the template begins in the file.
    let template: Int
    let hasColors: Bool

    /// Where the file's colours of the print begin, behind its template.
    var colors: Int { template + templateSize.width * templateSize.height }

    /// Width and height of the print in metres.
    var physicalSize: Vector2? {
        physicalWidth.map { Vector2($0, $0 * Double(pictureSize.height) / Double(pictureSize.width)) }
    }

    /// Why an entry is none.
    struct Flaw: Error {
        let reason: String
    }

    /// Reads an entry, which must be one that the builder writes.
    ///
    /// - Parameters:
    ///   - offset: where it begins.   - text: where names and records may be.   - templates: where the first template is.
    init(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, text: Range<Int>, templates: Int
    ) throws(Flaw) {
        typealias Entry = TargetFileLayout.Entry
        func number(_ place: Int) -> Int { Int(bytes.number(offset + place, UInt32.self)) }
        func side(_ place: Int) -> Int { Int(bytes.number(offset + place, UInt16.self)) }
        let nameStart = text.lowerBound + number(Entry.name)
        let nameEnd = nameStart + number(Entry.nameSize)
        let recordStart = text.lowerBound + number(Entry.record)
        record = recordStart..<recordStart + number(Entry.recordSize)
        guard nameEnd <= text.upperBound, record.upperBound <= text.upperBound else {
            throw Flaw(reason: "name or record lies outside the text")
        }
        guard let name = String(validating: bytes[nameStart..<nameEnd], as: UTF8.self), !name.isEmpty else {
            throw Flaw(reason: "the name is empty or no UTF-8")
        }
        self.name = name
        let width = Double(bitPattern: bytes.number(offset + Entry.physicalWidth, UInt64.self))
        guard width >= 0, width < 1e6 else {
            throw Flaw(reason: "the print's width is \(width) m, expected a number below 1,000,000")
        }
        physicalWidth = width > 0 ? width : nil
        pictureSize = ImageSize(width: number(Entry.pictureWidth), height: number(Entry.pictureHeight))
        templateSize = ImageSize(width: side(Entry.templateWidth), height: side(Entry.templateHeight))
        let (shorter, longer) = (
            min(pictureSize.width, pictureSize.height), max(pictureSize.width, pictureSize.height)
        )
        guard shorter >= ScaleSpace.leastSide, longer <= 8 * shorter else {
            throw Flaw(reason: "the picture is \(pictureSize), which no target's is")
        }
        guard templateSize == ImageBuffer.size(of: pictureSize, longerSide: TargetParts.templateSide) else {
            throw Flaw(reason: "the template is \(templateSize), which does not belong to a picture of \(pictureSize)")
        }
        featureCount = number(Entry.featureCount)
        let colorSide = number(Entry.colorSide)
        guard colorSide == 0 || colorSide == PrintColors.side else {
            throw Flaw(reason: "\(colorSide) rows of colours, expected 0 or \(PrintColors.side)")
        }
        hasColors = colorSide > 0
        let distance = bytes.number(offset + Entry.template, UInt64.self)
        guard distance <= UInt64(bytes.count) else { throw Flaw(reason: "the template lies outside the file") }
        template = templates + Int(distance)
        let end =
            template + templateSize.width * templateSize.height + (hasColors ? PrintColors.byteCount : 0)
        guard end <= bytes.count else { throw Flaw(reason: "the template lies outside the file") }
    }
}
