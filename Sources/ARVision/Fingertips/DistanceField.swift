// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// From a place of a field to its eight neighbours: how far each stands from it, and how long the step is.
private struct StepTable {
    let places: SIMD8<Int32>
    let lengths = SIMD8<Int32>(5, 5, 5, 5, 7, 7, 7, 7)

    init(rowLength: Int) {
        let row = Int32(rowLength)
        places = SIMD8(-1, 1, -row, row, -row - 1, 1 - row, row - 1, row + 1)
    }
}

/// Distances inside a region of pixels: 5 a step to a neighbour in a row or a column, 7 to one at a corner.
/// - Reference: Borgefors 1986, "Distance transformations in digital images" (chamfer 5-7-11, without the knight's move).
struct DistanceField {
    private let width: Int
    private let height: Int
    /// The length of a row with a place more at either end.
    private let rowLength: Int
    /// Where each of the region's pixels stands in the field.
    private let places: [Int32]
    /// The distances, with a ring of places about the picture: ``far`` inside the region between two measurements, 0 elsewhere.
    private var field: [Int32]
    /// The places that are to be gone on from, and which of them comes next at the same distance.
    private var queue: [SIMD2<Int32>] = []
    private static let far = Int32.max / 2
    /// From a pixel to a neighbour at a corner.
    static let largestStep: Int32 = 7

    init(_ pixels: [Int32], width: Int, height: Int) {
        (self.width, self.height, rowLength) = (width, height, width + 2)
        // Rows are sought from the last pixel's on: those of a region follow one another.
        let (columns, length) = (Int32(width), Int32(width + 2))
        var (row, first) = (Int32(0), Int32(0))
        places = pixels.map { pixel in
            if pixel < first || pixel >= first + columns { (row, first) = (pixel / columns, pixel / columns * columns) }
            return (row + 1) * length + pixel - first + 1
        }
        field = [Int32](repeating: 0, count: (width + 2) * (height + 2))
        for place in places { field[Int(place)] = Self.far }
    }

    /// How far each of the region's pixels is from the outside; the picture's border is no outside. Where there is none, all are
    /// as deep as the picture is wide and high together, which is more than any way straight through it.
    mutating func depths() -> [Int32] {
        let deepest = HandSilhouette.unitsPerPixel * Int32(width + height)
        setRing(deepest)
        let rowLength = rowLength
        let depths = field.withUnsafeMutableBufferPointer { field in
            func relax(_ place: Int, _ step: Int) {
                let row = place + step * rowLength
                let straight = min(field[place + step], field[row]) + 5
                let aslant = min(field[row - 1], field[row + 1]) + 7
                field[place] = min(min(straight, aslant), deepest)
            }
            for place in places { relax(Int(place), -1) }
            for place in places.reversed() {
                let before = field[Int(place)]
                relax(Int(place), 1)
                field[Int(place)] = min(field[Int(place)], before)
            }
            return places.map { field[Int($0)] }
        }
        setRing(0)
        for place in places { field[Int(place)] = Self.far }
        return depths
    }

    private mutating func setRing(_ value: Int32) {
        for column in 0..<rowLength {
            field[column] = value
            field[(height + 1) * rowLength + column] = value
        }
        for row in 1...height {
            field[row * rowLength] = value
            field[row * rowLength + width + 1] = value
        }
    }

    /// The way inside the region from the nearest of the roots, for each pixel of the region; 0 for those that are out of reach or
    /// farther than the limit.
    mutating func ways(from roots: [Int32], limit: Int32 = far) -> [Int32] {
        walk(from: roots, limit: limit) { _, _ in }
        let ways = places.map { place in
            let way = field[Int(place)]
            return way > limit || way == Self.far ? 0 : way
        }
        for place in places { field[Int(place)] = Self.far }
        return ways
    }

    /// Visits the pixels that are no farther inside the region from one of them than the limit, the nearest first.
    mutating func forEachWay(from root: Int32, limit: Int32, _ visit: (_ x: Int, _ y: Int, _ way: Int32) -> Void) {
        let rowLength = UInt32(rowLength)
        let count = walk(from: [root], limit: limit) { place, way in
            let row = UInt32(truncatingIfNeeded: place) / rowLength
            visit(place &- Int(row &* rowLength) &- 1, Int(row) &- 1, way)
        }
        for entry in queue[..<count] { field[Int(entry.x)] = Self.far }
    }

    /// Writes the ways, and visits the field's places in their order; returns how many places of the queue were needed.
    ///
    /// - Reference: Dial 1969, "Algorithm 360: shortest-path forest with topological ordering" (a bucket for each distance).
    @discardableResult
    private mutating func walk(
        from roots: [Int32], limit: Int32, _ visit: (_ place: Int, _ way: Int32) -> Void
    ) -> Int {
        // A place is first met from its nearest neighbour: its way is 2 too long at most, and shortened twice.
        let needed = 3 * places.count + roots.count
        if queue.count < needed { queue = [SIMD2<Int32>](repeating: .zero, count: needed) }
        let (width, rowLength) = (width, rowLength)
        let steps = StepTable(rowLength: rowLength)
        var (heads, count, waiting) = (SIMD8<Int32>(repeating: -1), 0, 0)
        field.withUnsafeMutableBufferPointer { field in
            queue.withUnsafeMutableBufferPointer { queue in
                func append(_ place: Int, _ distance: Int32) {
                    field[place] = distance
                    queue[count] = SIMD2(Int32(place), heads[Int(distance & 7)])
                    heads[Int(distance & 7)] = Int32(count)
                    count += 1
                    waiting += 1
                }
                for root in roots { append((Int(root) / width + 1) * rowLength + Int(root) % width + 1, 0) }
                var distance: Int32 = 0
                while waiting > 0, distance <= limit {
                    var entry = heads[Int(distance & 7)]
                    heads[Int(distance & 7)] = -1
                    while entry >= 0 {
                        let place = Int(queue[Int(entry)].x)
                        entry = queue[Int(entry)].y
                        waiting -= 1
                        guard field[place] == distance else { continue }
                        visit(place, distance)
                        for number in 0..<8 {
                            let next = place &+ Int(steps.places[number])
                            let further = distance &+ steps.lengths[number]
                            if field[next] > further { append(next, further) }
                        }
                    }
                    distance += 1
                }
            }
        }
        return count
    }
}
