// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARWorld
import Foundation

/// The picture of a rectangular thing as it looks from the front, taken from a frame that shows it: what a copy of the thing
/// is made of.
public struct RectangleCopy: Sendable {
    /// Which thing it is.
    public let identifier: UUID
    /// The thing seen from the front, its top left corner first, in colour.
    public let texture: ImageBuffer
    /// How many pixels of the frame the texture's shorter side was made from.
    public let sharpness: Double

    /// A copy from a frame that shows all of the thing; `nil` where it does not.
    ///
    /// The texture has as many pixels as the frame has, up to 1,024 a side.
    public init?(of tracked: TrackedRectangle, in frame: SessionFrame) {
        guard tracked.quad != nil, frame.trackingState == .normal else { return nil }
        let view = frame.world.frame
        let corners = tracked.rectangle.corners.compactMap { view.project($0) }
        guard corners.count == 4, corners.allSatisfy(frame.image.size.contains) else { return nil }
        let quad = PixelQuad(corners: corners)
        let scale = min(1, 1024 / max(quad.width, quad.height))
        let (width, height) = (Int((quad.width * scale).rounded()), Int((quad.height * scale).rounded()))
        guard width >= 8, height >= 8 else { return nil }
        identifier = tracked.identifier
        sharpness = min(quad.width, quad.height)
        let source = frame.image.rgb
        var texture = ImageBuffer(size: ImageSize(width: width, height: height), format: .rgb8)
        let size = tracked.rectangle.size
        for row in 0..<height {
            for column in 0..<width {
                let place = Point3(
                    ((Double(column) + 0.5) / Double(width) - 0.5) * size.width, 0,
                    ((Double(row) + 0.5) / Double(height) - 0.5) * size.height)
                guard let pixel = view.project(tracked.rectangle.worldFromRectangle * place) else { return nil }
                let color = source.color(at: pixel)
                for channel in 0..<3 {
                    texture.bytes[row * texture.bytesPerRow + 3 * column + channel] = UInt8(color[channel].rounded())
                }
            }
        }
        self.texture = texture
    }

    /// Writes the copy as a textured quadrilateral, in metres and +Y up, where the thing is: an OBJ, and beside it an MTL and
    /// a PNG of the same name.
    public func write(placedAs rectangle: WorldRectangle, to url: URL) throws {
        let base = url.deletingPathExtension()
        let name = base.lastPathComponent
        try ImageFile.writePNG(texture, to: base.appendingPathExtension("png"))
        let material = """
            newmtl \(name)
            Ka 1 1 1
            Kd 1 1 1
            Ks 0 0 0
            map_Kd \(name).png

            """
        let normal = rectangle.normal
        let corners = rectangle.corners.map { "v \($0.x) \($0.y) \($0.z)\n" }.joined()
        let object = """
            mtllib \(name).mtl
            o \(name)
            \(corners)vt 0 1
            vt 1 1
            vt 1 0
            vt 0 0
            vn \(normal.x) \(normal.y) \(normal.z)
            usemtl \(name)
            f 4/4/1 3/3/1 2/2/1 1/1/1

            """
        for (text, place) in [(material, base.appendingPathExtension("mtl")), (object, url)] {
            let file = try AtomicFile(replacing: place)
            try file.write(text)
            try file.commit()
        }
    }
}

extension ImageBuffer {
    /// The colour between the four pixels around a place of a colour picture, 0 … 255; at the rim, that of the rim.
    func color(at pixel: PixelPoint) -> Vector3 {
        let x = min(max(pixel.x, 0), Double(size.width - 1)), y = min(max(pixel.y, 0), Double(size.height - 1))
        let (column, row) = (min(Int(x), size.width - 2), min(Int(y), size.height - 2))
        let (u, v) = (x - Double(column), y - Double(row))
        func at(_ column: Int, _ row: Int) -> Vector3 {
            let first = row * bytesPerRow + 3 * column
            return Vector3(Double(bytes[first]), Double(bytes[first + 1]), Double(bytes[first + 2]))
        }
        let top = at(column, row) * (1 - u) + at(column + 1, row) * u
        let bottom = at(column, row + 1) * (1 - u) + at(column + 1, row + 1) * u
        return top * (1 - v) + bottom * v
    }
}
