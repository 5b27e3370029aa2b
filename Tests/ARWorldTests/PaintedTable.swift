// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation

@testable import ARWorld

/// A table in a room without walls, table and floor with a pattern, and a camera that goes round in front of it.
enum PaintedTable {
    static let table = Panel(
        name: "table", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0, -0.4),
        density: 0)
    static let floor = Panel(
        name: "floor", center: .zero, halfWidth: Vector3(3, 0, 0), halfHeight: Vector3(0, 0, -3), density: 0)
    /// The room with both.
    static let room = PaintedRoom(panels: [table, floor])

    /// Where the camera is in the frame of that number, in ARKit's axes.
    static func pose(_ number: Int) -> RigidTransform {
        let angle = 0.03 * Double(number)
        return .looking(
            from: Point3(0.9 * sin(angle) - 0.3, 1.5, 0.75 + 0.1 * cos(angle)), at: Point3(0.3 * sin(angle), 0.7, 0))
    }

    /// What the camera sees from there, kept as a key picture.
    ///
    /// - Parameters:
    ///   - frame: what was followed there; by default nothing.
    ///   - error: by what its pose is believed elsewhere, in the optical axes.
    static func keyPicture(
        _ number: Int, of room: PaintedRoom = room, following frame: TrackedFrame? = nil,
        believedOffBy error: Twist = .zero
    ) -> KeyPicture {
        KeyPicture(
            number: number, picture: SmoothedPicture(room.picture(from: pose(number))), camera: PaintedRoom.camera,
            worldFromOptical: pose(number) * .cameraFromOptical * RigidTransform(error), motion: .zero,
            readoutSeconds: 0,
            sightings: Dictionary(uniqueKeysWithValues: (frame?.sightings ?? []).map { ($0.id, $0.pixel) }))
    }
}

/// A camera that goes there and back before a painted table, for as long as one likes.
struct PaintedRide {
    private let room: PaintedRoom
    /// What is seen from the way's places: each is painted once.
    private var pictures: [Int: ImageBuffer] = [:]

    init(_ room: PaintedRoom) { self.room = room }

    /// A frame that follows these points, and what it shows.
    mutating func frame(_ number: Int, following points: [Point3]) -> (TrackedFrame, FramePicture) {
        let place = abs(number % 160 - 80)
        let pose = PaintedTable.pose(place)
        let picture = pictures[place] ?? room.picture(from: pose)
        pictures[place] = picture
        return (room.frame(number, at: pose, following: points), FramePicture(image: picture))
    }
}
