// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A thing of a scene, made ready to be seen: where it is at any time, and which of its points can be asked for.
///
/// Its own frame is that of the things of its kind: for a quad, a print and a flag that of an image anchor (+X to the right of
/// the picture, +Y out of it, its top towards −Z, the origin in its middle), for a head +Z out of the face and +Y to the
/// crown, for the hand its fingertip, for the others the frame in which its kind is described in `SceneFormat.md`.
struct StagedObject: Sendable {
    /// The name in the scene; that of a room's side is `room.floor`; the hand is called `finger`.
    let name: String
    /// What it is.
    let kind: Kind
    /// The name of its material, where it has one.
    let material: String?
    /// The numbers of its surfaces in pictures of objects. The first is that of its picture, where it has one.
    let objectNumbers: Range<Int32>
    /// The width and height of its picture, where it is flat: without a print's border; of a flag, the cloth at rest.
    let pictureSize: Vector2?
    /// Points around a head's face, in its own frame: brows, cheeks and chin. The smallest upright box around their pixels
    /// is the face's box as detectors draw it. Empty for what is no head.
    let faceOutline: [Point3]
    private let motion: StagedMotion
    private let cloth: WavingCloth?
    /// Points of its surface, in its own frame.
    private let ownSamples: [SurfaceSample]

    /// What a thing is.
    enum Kind: String, Hashable, Sendable {
        case quad, box, cylinder, sphere, mesh, print, flag, head, scan, hand
    }

    init(
        name: String, kind: Kind, material: String? = nil, objectNumbers: Range<Int32>, motion: StagedMotion,
        samples: [SurfaceSample], pictureSize: Vector2? = nil, cloth: WavingCloth? = nil,
        faceOutline: [Point3] = []
    ) {
        self.name = name
        self.kind = kind
        self.material = material
        self.objectNumbers = objectNumbers
        self.motion = motion
        self.ownSamples = samples
        self.pictureSize = pictureSize
        self.cloth = cloth
        self.faceOutline = faceOutline
    }

    /// Its pose; that of a flag is the pose at rest.
    func worldFromObject(at seconds: Double) -> RigidTransform { motion.worldFromObject(at: seconds) }

    /// Points spread evenly over its surface, in the world: of a print and a flag the picture's front, of a head the face.
    func surfaceSamples(at seconds: Double) -> [SurfaceSample] {
        let worldFromObject = worldFromObject(at: seconds)
        guard let cloth else { return ownSamples.map { worldFromObject * $0 } }
        let sheet = cloth.sheet(at: seconds)
        return ownSamples.map { sample in
            let vertex = cloth.vertex(of: sheet, x: sample.position.x, z: sample.position.z)
            return worldFromObject * SurfaceSample(position: vertex.position, normal: vertex.normal, area: sample.area)
        }
    }

    /// A place of the picture in the world; it may lie beyond the picture's rim, in its plane. A flag's waves with it.
    /// `nil` when the thing has no flat picture.
    func point(inPictureAt place: NormalizedImagePoint, seconds: Double) -> Point3? {
        guard let pictureSize else { return nil }
        let inPlane = (Vector2(place.x, place.y) - 0.5) * pictureSize
        guard let cloth else { return worldFromObject(at: seconds) * Point3(inPlane.x, 0, inPlane.y) }
        let vertex = cloth.vertex(of: cloth.sheet(at: seconds), x: inPlane.x, z: inPlane.y)
        return worldFromObject(at: seconds) * vertex.position
    }

    /// Points spread evenly over a part of the picture, in the world: the middles of 12×12 cells of a quadrilateral, whose
    /// corners are in the order of ``NormalizedImagePoint/pictureCorners``.
    func samples(ofPictureIn area: [NormalizedImagePoint], at seconds: Double) -> [SurfaceSample] {
        let cells = 12
        let corners = area.map { Vector2($0.x, $0.y) }
        func point(_ column: Int, _ row: Int) -> Point3? {
            let (u, v) = (Double(column) / Double(cells), Double(row) / Double(cells))
            let above = corners[0] + u * (corners[1] - corners[0])
            let below = corners[3] + u * (corners[2] - corners[3])
            let place = above + v * (below - above)
            return self.point(inPictureAt: NormalizedImagePoint(place.x, place.y), seconds: seconds)
        }
        let points = (0...cells).map { row in (0...cells).compactMap { point($0, row) } }
        guard points[0].count == cells + 1 else { return [] }
        return (0..<cells * cells).map { index in
            let (column, row) = (index % cells, index / cells)
            let (a, b) = (points[row][column], points[row][column + 1])
            let (c, d) = (points[row + 1][column + 1], points[row + 1][column])
            let doubledNormal = (c - a).cross(b - d)
            return SurfaceSample(
                position: (a + b + c + d) / 4, normal: doubledNormal.normalized() ?? .zero,
                area: doubledNormal.length / 2)
        }
    }
}

extension NormalizedImagePoint {
    /// A picture's corners: top left, top right, bottom right, bottom left, as one faces it with its top up.
    static let pictureCorners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map { NormalizedImagePoint($0, $1) }
}

/// A point of a surface.
struct SurfaceSample: Hashable, Sendable {
    /// Where it is.
    var position: Point3
    /// The unit normal of the front.
    var normal: Vector3
    /// The part of the surface for which the point stands, in square metres.
    var area: Double

    /// The point in the target's frame.
    static func * (targetFromSource: RigidTransform, sample: SurfaceSample) -> SurfaceSample {
        SurfaceSample(
            position: targetFromSource * sample.position, normal: targetFromSource.rotation * sample.normal,
            area: sample.area)
    }
}

/// What moves a thing.
enum StagedMotion: Sendable {
    /// Its own motion, or none.
    case thing(ObjectMotion)
    /// A head on its neck.
    case head(HeadMotion)
    /// The neck and shoulders below a head.
    case bust(HeadMotion)
    /// The hand that writes.
    case hand(WritingFinger)

    /// The pose.
    func worldFromObject(at seconds: Double) -> RigidTransform {
        switch self {
        case .thing(let motion): motion.worldFromObject(at: seconds)
        case .head(let motion): motion.worldFromHead(at: seconds)
        case .bust(let motion): motion.worldFromBust(at: seconds)
        case .hand(let finger): finger.worldFromHand(at: seconds)
        }
    }
}
