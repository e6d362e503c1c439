/** What can stop the demo's preparation for a reason of the machine, not of the program. */
export type DemoErrorCode =
  | 'program-missing'
  | 'program-failed'
  | 'packages-unreachable'
  | 'package-changed'
  | 'disk-full'

export class DemoError extends Error {
  readonly code: DemoErrorCode

  constructor(code: DemoErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DemoError'
    this.code = code
  }
}

/** The disk has not the room that a folder of the demo needs; it can be made once there is. */
export class DemoDiskFull extends DemoError {
  readonly neededBytes: number

  constructor(message: string, neededBytes: number) {
    super('disk-full', message)
    this.neededBytes = neededBytes
  }
}
