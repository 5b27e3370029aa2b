// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// The search for a ``MotionAlignment``, a little with each frame: all at once, it would take as long as six frames do.
///
/// What it looks at is what was known when it began; what it finds does not depend on how its steps are spread.
///
/// Law: `MotionAlignmentTests.aSearchBlocksNoFrame`.
struct MotionSearch: Sendable {
    /// How long the window is, in seconds.
    let seconds: Double
    private(set) var progress = Progress.underway

    private let problem: LinearProblem
    private var guess = LinearProblem.Guess()
    private var guessCount = 0
    /// The window's frames, until their turn is compared with the samples'.
    private var frames: [MotionAlignment.Frame]
    /// The guesses to begin with that were not tried yet: the best of them goes on.
    private var beginnings = [LinearProblem.Guess()]
    /// How the residuals change with the numbers of the guess, as far as that is known.
    private var slopes: [[Double]] = []
    private var solution: LinearSolution?
    private var descent: MotionDescent?

    enum Progress: Sendable {
        case underway, failed
        case found(MotionAlignment)
    }

    /// How far off, in seconds, clocks are tried beside what is said of them. From there it goes downhill to wherever they may be; from a
    /// frame away, in the first moments after a rest, it goes to where the samples' noise explains what the clocks do.
    /// Law: `RestThenMotionTests.wrongClocksAreFoundSoon`.
    private static let clockStep = 0.03

    /// `nil` where too few points were seen for long enough.
    init?(
        frames: [MotionAlignment.Frame], history: ImuHistory, calibration: CameraState,
        settings: InitialisationSettings
    ) {
        // Samples that are guessed, before the first, would blur all that follows.
        let known = frames.filter { frame in
            let earliest = calibration.instant(ofFrameAt: frame.timestamp)
                .advanced(byNanoseconds: -WindowSights.largestTimeShiftNanoseconds)
            return history.span.map { $0.lowerBound <= earliest } ?? false
        }
        guard let first = frames.first, let last = frames.last,
            let sights = WindowSights(frames: known, calibration: calibration, settings: settings)
        else { return nil }
        seconds = last.timestamp.seconds(since: first.timestamp)
        self.frames = known
        problem = LinearProblem(sights: sights, history: history, calibration: calibration, settings: settings)
    }

    /// Sets a system of equations up, solves one, or solves a few small ones.
    mutating func step() {
        guard case .underway = progress else { return }
        if descent != nil { stepDown() } else { stepGuess() }
    }

    /// A guess to begin with, its linear solution, how that changes with one of the guess's numbers, or a better guess of what is not linear.
    /// The last begins the descent.
    private mutating func stepGuess() {
        guard frames.isEmpty else { return compareTurns() }
        guard beginnings.isEmpty else { return tryBeginning() }
        guard let known = solution else {
            progress = .failed
            return
        }
        guard slopes.count == LinearProblem.Guess.count else {
            guard let slope = problem.derivative(byNumber: slopes.count, of: guess, known) else {
                return beginDescent(from: known)
            }
            slopes.append(slope)
            return
        }
        guessCount += 1
        guard let next = problem.better(than: guess, known, slopes), let better = problem.solution(next),
            better.cost < known.cost
        else { return beginDescent(from: known) }
        (guess, solution, slopes) = (next, better, [])
        let isDone = known.cost - better.cost < 1e-3 * known.cost || guessCount == problem.settings.guessIterations
        if isDone { beginDescent(from: better) }
    }

    private mutating func compareTurns() {
        let comparison = TurnComparison(
            frames, history: problem.history, calibration: problem.calibration, settings: problem.settings)
        beginnings += [0, -Self.clockStep, Self.clockStep].map {
            LinearProblem.Guess(gyroscopeBias: comparison.gyroscopeBias, timeShift: $0)
        }
        frames = []
    }

    private mutating func tryBeginning() {
        let beginning = beginnings.removeLast()
        guard let found = problem.solution(beginning), found.cost < solution?.cost ?? .infinity else { return }
        (guess, solution) = (beginning, found)
    }

    private mutating func beginDescent(from solution: LinearSolution) {
        descent = MotionDescent(from: solution, guess, problem)
        if descent == nil { progress = .failed }
    }

    private mutating func stepDown() {
        descent?.step()
        switch descent?.progress {
        case .underway: break
        case .arrived(let motion, let points):
            progress = .found(MotionAlignment(timestamp: problem.sights.start, motion: motion, points: points))
        case .lost, nil: progress = .failed
        }
    }
}
