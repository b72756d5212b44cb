import { globSync, readFileSync } from 'node:fs'
import * as domains from '@tour-ops/contract/domains'
import { isCallable } from '@tour-ops/contract/callables'
import { expect, test } from 'vitest'

// What is there and used by nobody misleads readers of the schema or the contract. What waits for its screen is named here with what
// it is for; the lists shrink, and nothing is added to them by accident.

/** Tables that the application neither reads nor writes. */
const waitingTables = {
  allotments: 'rooms and seats that a supplier keeps for us, for the sale',
  departure_groups: 'departures that share a vehicle or a pickup, for combining two',
  notification_preferences: 'channels that a person has switched off, for telling guests',
  report_runs: 'reports that were made on a schedule',
}

/** Callables that no screen asks; programs do, by the API description. */
const waitingCallables = {
  archivePlace: 'programs; on screen places are made where a stop or a pickup needs one',
  updateBooking: 'programs; on screen a booking is changed as a whole (bookings-revise)',
  createSupplier: 'programs; on screen suppliers are read with the services of a departure',
  updatePlace: 'programs; on screen places are made where a stop or a pickup needs one',
  exportAudit: 'programs; on screen each record shows its own history',
  exportBookings: 'bookkeeping; on screen bookings are read with their departure or guest',
  listCheckIns: 'the history of a guest on the manifest',
  listWaitlist: 'the waitlist as a list of its own',
  reportDepartures: 'the departures behind a figure of the reports',
  updateDevice: 'programs that keep trackers; on screen a device is named when it is paired',
  ownDuty: 'other phones than ours; the page of the phone reads it within its day',
  beginDuty: 'other phones than ours; the page of the phone sends it as an event',
  endDuty: 'other phones than ours; the page of the phone sends it as an event',
  setDutyBreak: 'other phones than ours; the page of the phone sends it as an event',
  setTrackingConsent: 'other phones than ours; the page of the phone sends it as an event',
  linkFile: 'files that are shown while the connection is away',
}

const root = new URL('../../../', import.meta.url)
const sources = (pattern: string, leaveOut: RegExp): string =>
  globSync(pattern, { cwd: root })
    .filter((file) => !leaveOut.test(file))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n')
const namesIn = (text: string): Set<string> => new Set(text.match(/\w+/g))

test('every table is used by the application, or waits for a screen that is named', () => {
  const schema = readFileSync(new URL('apps/server/schema.sql', root), 'utf8')
  const bodies = schema.match(/\$function\$.*?\$function\$/gs) ?? []
  // Lists of tables use none of them.
  const lists = /\.test\.ts$|db\/tables\.ts$|known-departures\.ts$|live-paths\.ts$|subjects-of-changes\.ts$/
  const used = namesIn(sources('{apps/server/src,packages/contract/src}/**/*.ts', lists) + bodies.join('\n'))
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name)
  expect(tables.length).toBeGreaterThan(60)
  expect(tables.filter((table) => !used.has(table))).toEqual(Object.keys(waitingTables))
})

test('every callable is asked by a screen, or waits for one that is named', () => {
  const used = namesIn(sources('apps/web/src/**/*.{ts,tsx}', /\.test\.tsx?$|paraglide/))
  const names = Object.values(domains).flatMap((domain) =>
    Object.entries<unknown>(domain).flatMap(([name, value]) => (isCallable(value) ? [name] : [])),
  )
  expect(names.filter((name) => !used.has(name)).toSorted()).toEqual(Object.keys(waitingCallables).toSorted())
})
