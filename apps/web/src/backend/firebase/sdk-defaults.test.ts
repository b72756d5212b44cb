import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'

// Figures of the spec, section 9, that the hosted libraries keep by themselves. We copy none of them; this reads that the installed
// libraries have them, as docs/spec-coverage.md says.

const fromFirebase = createRequire(createRequire(import.meta.url).resolve('firebase/app'))

/** All browser code of a package that firebase brings along. */
function sourceOf(name: string): string {
  const at = fromFirebase.resolve.paths(name)?.find((folder) => fs.existsSync(path.join(folder, name))) ?? ''
  const files = fs.globSync(['dist/*.js', 'dist/esm/*.js', 'dist/webchannel-blob/esm/*.js'], {
    cwd: path.join(at, name),
  })
  expect(files, `${name} has files to read`).not.toEqual([])
  return files.map((file) => fs.readFileSync(path.join(at, name, file), 'utf8')).join('\n')
}

test.each([
  ['popup poll 2 to 10 s', '@firebase/auth', /_POLL_WINDOW_CLOSE_TIMEOUT = new Delay\(2000, 10000\)/],
  ['popup width 500', '@firebase/auth', /DEFAULT_WIDTH = 500;/],
  ['popup height 600', '@firebase/auth', /DEFAULT_HEIGHT = 600;/],
  ['popup close grace 8 s', '@firebase/auth', /8000 \/\* _Timeout\.AUTH_EVENT \*\//],
  ['local-storage poll 1 s', '@firebase/auth', /_POLLING_INTERVAL_MS\$1 = 1000;/],
  ['IndexedDB poll 800 ms', '@firebase/auth', /_POLLING_INTERVAL_MS = 800;/],
  ['token refresh 5 minutes before expiry', '@firebase/auth', /300000 \/\* Duration\.OFFSET \*\//],
  ['registration timeout 10 s', '@firebase/installations', /PENDING_TIMEOUT_MS = 10000;/],
  ['installation token margin 1 hour', '@firebase/installations', /TOKEN_EXPIRATION_BUFFER = 60 \* 60 \* 1000;/],
  ['analytics config timeout 60 s', '@firebase/analytics', /FETCH_TIMEOUT_MILLIS = 60 \* 1000;/],
  ['30 heartbeats, one a day, by count', '@firebase/app', /MAX_NUM_STORED_HEARTBEATS = 30;/],
  ['cache of 40 MB', '@firebase/firestore', /= 41943040;/],
  ['first cache collection after 1 minute', '@firebase/firestore', /cacheSizeCollectionThreshold && this\.\w+\(6e4\)/],
  ['later cache collections every 5 minutes', '@firebase/firestore', /await this\.\w+\(3e5\)/],
  ['reconnect from 1 s', '@firebase/firestore', /initialDelayMs\.\s+\*\/\s+n = 1e3\n/],
  ['reconnect factor 1.5', '@firebase/firestore', /, r = 1\.5\n/],
  ['reconnect cap 60 s', '@firebase/firestore', /maxDelayMs\.\s+\*\/ , i = 6e4\)/],
  ['idle streams close after 60 s', '@firebase/firestore', /enqueueAfterDelay\(this\.\w+, 6e4,/],
  ['online-state timeout 10 s', '@firebase/firestore', /OnlineStateTimeout \*\/ , 1e4,/],
  ['100 limbo resolutions', '@firebase/firestore', /maxConcurrentLimboResolutions: 100\b/],
  ['10 pending batches', '@firebase/firestore', /\.length < 10\b/],
  ['request timeout 45 s', '@firebase/webchannel-wrapper', /this\.\w+=45E3;/],
  ['forward channel 20 s by itself', '@firebase/webchannel-wrapper', /"forwardChannelRequestTimeoutMs",2E4,/],
  [
    'forward channel 10 minutes, as the database asks for it',
    '@firebase/firestore',
    /forwardChannelRequestTimeoutMs: 6e5\b/,
  ],
])('%s', (_figure, name, line) => {
  expect(sourceOf(name)).toMatch(line)
})
