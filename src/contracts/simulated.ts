/** Whether a name says by itself that what it names is simulated, in either language. */
export const saysSimulated = (name: string): boolean => /simulated|模拟/i.test(name)
