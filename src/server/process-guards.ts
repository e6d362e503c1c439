/** A rejection that nobody awaits is a defect of one request: it is told, and the process goes on. */
export const guardProcess = (name: string): void => {
  process.on('unhandledRejection', (reason) => {
    process.stderr.write(`${name}: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`)
  })
}
