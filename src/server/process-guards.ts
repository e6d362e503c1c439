/**
 * The database driver rejects promises of its own when a connection is lost during its handshake, where no caller can catch
 * them; such a loss ends a request, not the portal. Everything else that nobody awaited is a defect: it is told and goes on.
 */
export const guardProcess = (name: string): void => {
  process.on('unhandledRejection', (reason) => {
    process.stderr.write(`${name}: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`)
  })
}
