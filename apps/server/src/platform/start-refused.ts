/** The program does not continue, and its message says why and what to do. Printed without a stack. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused'
}
