import type { Startup } from '../identity/startup.ts'

let startup: Startup | undefined

/** Called once by `main`. */
export function provideStartup(started: Startup): void {
  startup = started
}

/** For the buttons of the connecting page and of the error page. */
export async function retryStartup(): Promise<void> {
  await startup?.retry()
}
