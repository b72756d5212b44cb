import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('./', import.meta.url)
const sources = globSync('**/*.ts', { cwd: root })
  .filter((file) => !/(\.test|tables)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') }))

/** Code by code, where the server refuses without a reason: the mistake of a program, or what the screens say by its code alone. */
const withoutReason: Readonly<Record<string, readonly string[]>> = {
  // Programs that speak the protocol wrongly; none of our pages does.
  'platform/http/application.ts': ['invalid-argument'],
  'platform/http/body.ts': ['invalid-argument', 'cancelled'],
  'platform/http/callables.ts': ['invalid-argument', 'unauthenticated', 'not-found'],
  'platform/http/start.ts': ['invalid-argument', 'permission-denied', 'not-found'],
  'platform/files/files-http.ts': ['invalid-argument'],
  'features/tracking/track-http.ts': ['invalid-argument'],
  'platform/firebase/call-handler.ts': ['not-found'],
  'platform/firebase/exchange.ts': ['invalid-argument', 'unauthenticated'],
  // Shown by the code: sign in again, it was stopped, try again, it is our fault.
  'platform/verb.ts': ['unauthenticated'],
  'platform/http/deadline.ts': ['deadline-exceeded', 'cancelled'],
  'platform/db/transaction.ts': ['cancelled'],
  'platform/live/live-http.ts': ['cancelled'],
  'platform/identity/clerk/clerk-api.ts': ['unavailable', 'internal'],
  'features/departures/departures-schedule.ts': ['internal'],
}

test('who refuses a call gives a reason of the contract, or a code that says enough', () => {
  const bare = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/new AppError\(\s*([^,]+),/g)].map(([, code = '']) => ({ file, code: code.replaceAll("'", '') })),
  )
  expect(bare.length).toBeGreaterThan(20)
  const passedOn = /^(error\.code|codeOf\[code\])$/
  const unexpected = bare.filter(({ file, code }) => !passedOn.test(code) && !withoutReason[file]?.includes(code))
  expect(unexpected).toEqual([])
  const gone = Object.entries(withoutReason).flatMap(([file, codes]) =>
    codes.filter((code) => !bare.some((each) => each.file === file && each.code === code)).map((code) => [file, code]),
  )
  expect(gone).toEqual([])
})

/** The service's own code, which its adapter reads; a screen says what it does not know by the wire's code. */
const foreignReasons = 'platform/identity/clerk/clerk-api.ts'

test('nobody writes a reason by hand: the compiler knows those that go through `refuse`', () => {
  const byHand = sources.filter(({ text }) => /details:\s*\{[^}]*\breason\b/.test(text)).map(({ file }) => file)
  expect(byHand).toEqual([foreignReasons])
})
