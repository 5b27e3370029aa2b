// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// A row of a trajectory: where a body is at an instant.
///
/// The file decides what the body is and how the world's axes lie; nothing is turned on reading or writing.
public struct TrajectoryPose: Hashable, Sendable {
    /// The instant.
    public var timestamp: Timestamp
    /// The body's pose, in metres.
    public var worldFromBody: RigidTransform

    /// A pose at an instant.
    public init(timestamp: Timestamp, worldFromBody: RigidTransform) {
        self.timestamp = timestamp
        self.worldFromBody = worldFromBody
    }
}

/// The files that hold trajectories.
public enum TrajectoryFormat: String, Hashable, Sendable, CaseIterable {
    /// `seconds x y z qx qy qz qw`, separated by blanks: TUM's RGB-D benchmark.
    case tum
    /// `nanoseconds,x,y,z,qw,qx,qy,qz`, and perhaps velocity and biases, separated by commas: EuRoC's ground truth.
    case euroc
}

extension TrajectoryPose {
    /// Reads stamp, position and quaternion (w first) from the first eight columns.
    init(euroc fields: CsvFields) throws(RecordingError) {
        let numbers = try fields.doubles(1..<fields.fields.count)
        self.init(
            timestamp: try fields.timestamp(0),
            worldFromBody: RigidTransform(
                rotation: try fields.rotation(x: numbers[4], y: numbers[5], z: numbers[6], w: numbers[3]),
                translation: Vector3(numbers[0], numbers[1], numbers[2])))
    }

    /// Reads stamp, position and quaternion (w last).
    init(tum fields: CsvFields) throws(RecordingError) {
        let numbers = try fields.doubles(1..<8)
        self.init(
            timestamp: try fields.timestamp(0, decimalPlacesOfUnit: 9),
            worldFromBody: RigidTransform(
                rotation: try fields.rotation(x: numbers[3], y: numbers[4], z: numbers[5], w: numbers[6]),
                translation: Vector3(numbers[0], numbers[1], numbers[2])))
    }

    /// The row of a file, without its line's end.
    func row(_ format: TrajectoryFormat) -> String {
        let p = worldFromBody.translation
        let q = worldFromBody.rotation.canonical.coefficients
        switch format {
        case .tum:
            let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(NumberText.string)
            return ([NumberText.seconds(fromNanoseconds: timestamp.nanoseconds)] + numbers).joined(separator: " ")
        case .euroc:
            let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z].map(NumberText.string)
            return (["\(timestamp)"] + numbers).joined(separator: ",")
        }
    }
}

extension TrajectoryFormat {
    /// The line that names the columns.
    var header: String {
        switch self {
        case .tum: "# timestamp_s tx_m ty_m tz_m qx qy qz qw"
        case .euroc: "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []"
        }
    }
}
