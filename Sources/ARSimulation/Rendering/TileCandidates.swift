// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// Which surfaces may be seen in each tile of a picture. Pixels are compared with each of a few rectangles, which is faster
/// than casting rays, and sees the same; where meshes may be seen, too, rays are cast against these, as far as the
/// nearest rectangle. Where there are many rectangles, rays are cast against everything.
///
/// Sendable although the compiler cannot see it: threads write different bands, and read after all are written.
final class TileCandidates: @unchecked Sendable {
    let tiles: ViewTiles
    /// What may be seen in a tile.
    struct Tile {
        /// What pixels are compared with.
        let rectangles: UnsafeBufferPointer<Int32>
        /// What rays are cast against besides; `nil` where nothing else may be seen.
        let rayTargets: CRaycastSubset?

        /// Whatever the scene has.
        static var anything: Tile {
            Tile(rectangles: UnsafeBufferPointer(start: nil, count: 0), rayTargets: CRAYCAST_ALL)
        }
    }

    /// The most rectangles that are compared.
    private static let most = 48
    /// Stands in the place of a number of candidates where there are too many of them.
    private static let unknown: UInt8 = .max
    /// Above the bits of the number of rectangles stand those of ``MeshTargets``.
    private static let countBits: UInt8 = 6

    /// The number of outlines: one a surface, by object number, behind these the second and later ones of meshes, and behind
    /// these the shadows of meshes that move.
    let outlineCount: Int
    /// What each outline's surface is among the targets of rays: nothing if it is a rectangle.
    private let targets: [MeshTargets]
    private let secondOutlines: [Int]
    private let firstShadows: [Int]
    private let outlines: UnsafeMutablePointer<CRaycastOutline>
    /// Around each outline.
    private let balls: UnsafeMutablePointer<CRaycastBall>
    private let counts: UnsafeMutablePointer<UInt8>
    private let areShaded: UnsafeMutablePointer<Bool>
    private let objects: UnsafeMutablePointer<Int32>
    /// The outlines that may be seen in each group of bands, and their numbers.
    private let groupLists: UnsafeMutablePointer<Int32>
    private let groupCounts: UnsafeMutablePointer<Int>
    private let groupScratch = TileScratch()
    private let boxes: ClosedBoxes
    /// Of a shot, the outlines that no box hides, and their number.
    private let seenList: UnsafeMutablePointer<Int32>
    private var seenCount = 0

    /// The candidates among surfaces of which those that stand still are where they are. Meshes have a box around each
    /// of their parts, rectangles one.
    init(_ table: RayTable, surfaces: [RenderSurface], bounds: [[MeshBounds]]) {
        tiles = ViewTiles(table)
        var (secondOutlines, targets) = ([Int](), surfaces.map { MeshTargets($0) })
        for (object, parts) in bounds.enumerated() {
            secondOutlines.append(targets.count)
            targets += [MeshTargets](repeating: targets[object], count: parts.count - 1)
        }
        (self.secondOutlines, self.targets) = (secondOutlines, targets)
        var (firstShadows, count) = ([Int](), targets.count)
        for (object, parts) in bounds.enumerated() {
            firstShadows.append(count)
            if targets[object] == .moving { count += parts.count }
        }
        (self.firstShadows, outlineCount) = (firstShadows, count)
        outlines = .allocate(capacity: max(outlineCount, 1))
        balls = .allocate(capacity: max(outlineCount, 1))
        counts = .allocate(capacity: tiles.columns * tiles.bands)
        areShaded = .allocate(capacity: tiles.columns * tiles.bands)
        objects = .allocate(capacity: tiles.columns * tiles.bands * Self.most)
        groupLists = .allocate(capacity: tiles.groups * max(outlineCount, 1))
        seenList = .allocate(capacity: max(outlineCount, 1))
        boxes = ClosedBoxes(of: surfaces)
        groupCounts = .allocate(capacity: tiles.groups)
        for (object, surface) in surfaces.enumerated() {
            switch surface {
            case .rectangle: setOutline(object, surface.raycastMesh.positions.map { Point3($0) })
            case .mesh: setOutlines(of: Int32(object), bounds[object].map(\.corners))
            }
        }
    }

    deinit {
        outlines.deallocate()
        balls.deallocate()
        counts.deallocate()
        areShaded.deallocate()
        objects.deallocate()
        groupLists.deallocate()
        seenList.deallocate()
        groupCounts.deallocate()
    }

    /// Tells where a mesh is: inside the hulls of four or eight points each, as many as it has parts.
    func setOutlines(of object: Int32, _ parts: [[Point3]]) {
        for (part, points) in parts.enumerated() {
            setOutline(part == 0 ? Int(object) : secondOutlines[Int(object)] + part - 1, points)
        }
    }

    private func setOutline(_ number: Int, _ points: [Point3]) {
        precondition(points.count == 4 || points.count == 8, "an outline has four or eight points, not \(points.count)")
        var outline = CRaycastOutline()
        func set(_ axis: Int, _ coordinates: inout (Float, Float, Float, Float, Float, Float, Float, Float)) {
            withUnsafeMutableBytes(of: &coordinates) { bytes in
                let numbers = bytes.assumingMemoryBound(to: Float.self)
                for number in 0..<8 { numbers[number] = Float(points[number % points.count][axis]) }
            }
        }
        set(0, &outline.x)
        set(1, &outline.y)
        set(2, &outline.z)
        (outlines + number).initialize(to: outline)
        (balls + number).initialize(to: CRaycastBall(around: points))
    }

    /// Tells where the shadows of the parts of a mesh that moves may fall, likewise.
    func setShadows(of object: Int32, _ parts: [[Point3]]) {
        for (part, points) in parts.enumerated() { setOutline(firstShadows[Int(object)] + part, points) }
    }

    /// What may be seen in a tile.
    @inline(__always) func tile(column: Int, band: Int) -> Tile {
        let tile = band * tiles.columns + column
        let count = counts[tile]
        guard count != Self.unknown else { return .anything }
        return Tile(
            rectangles: UnsafeBufferPointer(
                start: objects + tile * Self.most, count: Int(count & (1 << Self.countBits - 1))),
            rayTargets: MeshTargets(rawValue: count >> Self.countBits).subset)
    }

    /// Whether the shadow of something that moves may fall on what is seen in a tile.
    @inline(__always) func mayHaveMovingShadow(column: Int, band: Int) -> Bool {
        areShaded[band * tiles.columns + column]
    }

    /// Finds the candidates of groups of bands, before those of bands, and when all outlines are where they are.
    func find(inGroupsOf shot: Shot) {
        listSeen(in: shot)
        for group in 0..<tiles.groups {
            let viewpoint = Viewpoint(of: shot.worldFromCameraByRow[tiles.rows(ofGroup: group)])
            tiles.turnPlanes(
                ofGroup: group, by: viewpoint.axes, slack: viewpoint.turn, into: &groupScratch.planes)
            let search = Search(candidates: self, planes: groupScratch.planes, viewpoint: viewpoint)
            groupCounts[group] = search.cullBalls(
                seenList, count: seenCount, into: groupLists + group * outlineCount)
        }
    }

    private func listSeen(in shot: Shot) {
        var isHidden = [Bool](repeating: false, count: outlineCount)
        if !boxes.isEmpty {
            let viewpoint = Viewpoint(of: shot.worldFromCameraByRow[...])
            boxes.forEachHidden(from: Point3(viewpoint.origin), stray: Double(viewpoint.stray)) {
                isHidden[Int($0)] = true
            }
        }
        seenCount = 0
        for number in 0..<outlineCount {
            seenList[seenCount] = Int32(number)
            seenCount += isHidden[number] ? 0 : 1
        }
    }

    /// Finds the candidates of a band's tiles.
    func find(inBand band: Int, of shot: Shot, scratch: TileScratch) {
        let viewpoint = Viewpoint(of: shot.worldFromCameraByRow[tiles.rows(ofBand: band)])
        tiles.turnPlanes(ofBand: band, by: viewpoint.axes, slack: viewpoint.turn, into: &scratch.planes)
        let search = Search(candidates: self, planes: scratch.planes, viewpoint: viewpoint)
        // The lists of the tiles stand behind that of the band.
        scratch.reserve(outlineCount * (1 + tiles.columns), columns: tiles.columns)
        let group = band / ViewTiles.bandsPerGroup
        let near = search.cullBalls(groupLists + group * outlineCount, count: groupCounts[group], into: scratch.lists)
        let count = search.cull(scratch.lists, count: near, into: scratch.lists)
        let lists = scratch.lists + count
        search.divide(scratch.lists, count: count, columns: tiles.columns, into: lists, counts: scratch.counts)
        for column in 0..<tiles.columns {
            store(lists + column * count, count: scratch.counts[column], column: column, band: band)
        }
    }

    /// From where neighbouring rows look, and how far they stray from there.
    private struct Viewpoint {
        let axes: Matrix3x3
        let origin: SIMD3<Float>
        /// The most by which a row's axes differ, as the chord of an angle, and a row's place, in metres.
        private(set) var turn: Float
        private(set) var stray: Float

        init(of poses: ArraySlice<RigidTransform>) {
            let middle = poses[poses.startIndex + poses.count / 2]
            axes = middle.rotation.matrix
            origin = SIMD3<Float>(middle.translation)
            var (turn, stray) = (0.0, 0.0)
            for pose in poses where pose != middle {
                let change = pose.rotation.matrix - axes
                turn = max(turn, (0..<3).reduce(0) { $0 + change[$1].squaredLength }.squareRoot())
                stray = max(stray, (pose.translation - middle.translation).length)
            }
            (self.turn, self.stray) = (Float(turn), Float(stray))
        }
    }

    private func store(_ list: UnsafePointer<Int32>, count: Int, column: Int, band: Int) {
        let tile = band * tiles.columns + column
        var (rectangleCount, meshes, count) = (0, MeshTargets(), count)
        // The outlines are in order, the shadows last.
        areShaded[tile] = count > 0 && list[count - 1] >= targets.count
        while count > 0, list[count - 1] >= targets.count { count -= 1 }
        for number in 0..<count {
            let target = targets[Int(list[number])]
            guard target.isEmpty else {
                meshes.formUnion(target)
                continue
            }
            guard rectangleCount < Self.most else {
                counts[tile] = Self.unknown
                return
            }
            objects[tile * Self.most + rectangleCount] = list[number]
            rectangleCount += 1
        }
        counts[tile] = UInt8(rectangleCount) | meshes.rawValue << Self.countBits
    }

    /// The search from one viewpoint.
    private struct Search {
        let candidates: TileCandidates
        let planes: [CRaycastPlane]
        let viewpoint: Viewpoint

        /// Keeps what does not lie behind one of the first two planes.
        func cull(_ list: UnsafePointer<Int32>, count: Int, into kept: UnsafeMutablePointer<Int32>) -> Int {
            withFacade { origin, planes in
                craycast_cull(candidates.outlines, list, count, origin, 3 * viewpoint.stray, planes, 2, kept)
            }
        }

        /// Divides what may be seen between the first two planes among columns of tiles, between the others.
        func divide(
            _ list: UnsafePointer<Int32>, count: Int, columns: Int, into lists: UnsafeMutablePointer<Int32>,
            counts: UnsafeMutablePointer<Int>
        ) {
            withFacade { origin, planes in
                craycast_divide(
                    candidates.outlines, list, count, origin, 3 * viewpoint.stray, planes + 2, columns, lists, counts)
            }
        }

        /// The same with the balls around everything: faster, and it keeps more.
        func cullBalls(_ list: UnsafePointer<Int32>, count: Int, into kept: UnsafeMutablePointer<Int32>) -> Int {
            withFacade { origin, planes in
                craycast_cull_balls(candidates.balls, list, count, origin, 3 * viewpoint.stray, planes, 2, kept)
            }
        }

        private func withFacade<Result>(
            _ body: (UnsafePointer<Float>, UnsafePointer<CRaycastPlane>) -> Result
        ) -> Result {
            planes.withUnsafeBufferPointer { planes in
                withUnsafeBytes(of: viewpoint.origin) { origin in
                    body(
                        origin.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped,
                        planes.baseAddress.unsafelyUnwrapped)
                }
            }
        }
    }
}

extension CRaycastBall {
    /// A ball around points, as large as it must be around the middle of their box, and wider by what single precision errs.
    init(around points: [Point3]) {
        let (low, high) = points.dropFirst().reduce((points[0], points[0])) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
        let center = SIMD3<Float>((low + high) / 2)
        let radius = points.map { (SIMD3<Double>($0) - SIMD3<Double>(center)).length }.max() ?? 0
        self.init(center: (center.x, center.y, center.z), radius: Float(radius * (1 + 0x1p-20)))
    }
}

/// Room for one thread's search for candidates: four bytes for each outline and for each outline in each column of tiles, so
/// that nothing is ever out of room. That is 330 kB for 2,000 outlines and 640 columns of pixels, 160 MB for a million.
final class TileScratch {
    fileprivate var planes: [CRaycastPlane] = []
    fileprivate private(set) var lists = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private var capacity = 1
    /// The number of candidates in each column of tiles.
    fileprivate private(set) var counts = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private var columns = 1

    deinit {
        lists.deallocate()
        counts.deallocate()
    }

    fileprivate func reserve(_ count: Int, columns: Int) {
        if columns > self.columns {
            counts.deallocate()
            counts = .allocate(capacity: columns)
            self.columns = columns
        }
        guard count > capacity else { return }
        lists.deallocate()
        lists = .allocate(capacity: count)
        capacity = count
    }
}
