// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers in an order that only their owner knows, kept in blocks, so that finding, inserting and removing one is quick
/// however many there are.
struct IntervalList {
    private static let blockSize = 64

    private var blocks: [[Int32]] = []
    /// The blocks from first to last, none empty.
    private var order: [Int32] = []
    /// For each number the block that holds it.
    private var blockOfNumber: [Int32] = []

    var isEmpty: Bool { order.isEmpty }

    /// The last number of which `isBefore` holds, or `nil`; it must hold of all numbers before one of which it holds.
    func last(where isBefore: (Int32) -> Bool) -> Int32? {
        guard let place = Self.count(of: order, where: { isBefore(blocks[Int($0)][0]) }) else { return nil }
        let block = blocks[Int(order[place])]
        return Self.count(of: block, where: isBefore).map { block[$0] }
    }

    /// The index of the last element of which `isBefore` holds.
    private static func count(of elements: [Int32], where isBefore: (Int32) -> Bool) -> Int? {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// Puts a number behind another one, or at the start.
    mutating func insert(_ number: Int32, after other: Int32?) {
        while blockOfNumber.count <= Int(number) { blockOfNumber.append(-1) }
        guard !order.isEmpty else {
            blocks.append([number])
            order.append(Int32(blocks.count - 1))
            blockOfNumber[Int(number)] = Int32(blocks.count - 1)
            return
        }
        let block = other.map { blockOfNumber[Int($0)] } ?? order[0]
        let place = other.flatMap { blocks[Int(block)].firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        blocks[Int(block)].insert(number, at: place)
        blockOfNumber[Int(number)] = block
        if blocks[Int(block)].count > Self.blockSize { divide(block) }
    }

    private mutating func divide(_ block: Int32) {
        let second = Array(blocks[Int(block)][(Self.blockSize / 2)...])
        blocks[Int(block)].removeLast(second.count)
        let new = Int32(blocks.count)
        blocks.append(second)
        for number in second { blockOfNumber[Int(number)] = new }
        if let place = order.firstIndex(of: block) { order.insert(new, at: place + 1) }
    }

    /// Takes a number out.
    mutating func remove(_ number: Int32) {
        let block = blockOfNumber[Int(number)]
        if let place = blocks[Int(block)].firstIndex(of: number) { blocks[Int(block)].remove(at: place) }
        if blocks[Int(block)].isEmpty, let place = order.firstIndex(of: block) { order.remove(at: place) }
    }
}
