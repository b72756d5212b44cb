import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { records } from '@tour-ops/contract/callables'
import { startScreenOf } from '@tour-ops/contract/start'
import { describe, expect, test } from 'vitest'
import { routePaths } from '../../build/route-paths.ts'
import { navigationGroups } from '../app/shell/navigation.ts'
import { nearbyEntries } from '../app/errors/nearby.ts'
import { paths } from './paths.ts'

const source = path.join(import.meta.dirname, '..')
const known = routePaths(readFileSync(path.join(source, 'routeTree.gen.ts'), 'utf8'))

/** Spec, section 2, "Screens". */
const specScreens = [
  '/dashboard/map',
  '/dashboard/overview',
  '/field-staff/create',
  '/field-staff/details/{id}',
  '/field-staff/edit/{id}',
  '/field-staff/list',
  '/field-staff/tracking',
  '/reports/feedback',
  '/reports/staff-performance',
  '/reports/tour-performance',
  '/reports/traveler-insights',
  '/settings',
  '/settings/general',
  '/settings/notifications',
  '/settings/tour',
  '/settings/webhooks',
  '/tools/full-monitoring-list',
  '/tools/monitoring',
  '/tools/notifications',
  '/tools/shared-links',
  '/tours/all',
  '/tours/constructor',
  '/tours/edit/{id}',
  '/tours/wizard/{id}',
  '/travelers/details/{id}',
  '/travelers/edit/{id}',
  '/travelers/list',
  '/user-management/create',
  '/user-management/list',
]

/** A plain record has a list and two forms; a vehicle also has its calendar. */
const recordScreens = [
  ...records.flatMap(({ name }) => [`/${name}`, `/${name}/create`, `/${name}/edit/{id}`]),
  '/vehicles/details/{id}',
]

/** Spec, section 2, "Redirects". */
const specRedirects: Readonly<Record<string, string>> = {
  '/': '/dashboard/overview',
  '/dashboard': '/dashboard/map',
  '/field-staff': '/field-staff/list',
  '/reports': '/reports/tour-performance',
  '/tours': '/tours/all',
  '/travelers': '/travelers/list',
  '/travelers/create': '/travelers/edit/create',
  '/user-management': '/user-management/list',
}

/** See ARCHITECTURE.md, "Where the specification is silent". */
const publicPaths = [
  '/sign-in',
  '/sign-in/*',
  '/sign-up',
  '/sign-up/*',
  '/waitlist',
  '/organizations',
  '/create-organization',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/pair',
  '/share/{token}',
]

const routeFiles = readdirSync(path.join(source, 'routes'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => ({ name: entry.name, text: readFileSync(path.join(entry.parentPath, entry.name), 'utf8') }))

/** Screens that the spec does not name: what is started from a list has its own URL. Decision 0044. */
const ownScreens = ['/travelers/book', '/travelers/book/{id}', '/travelers/import', '/travelers/import/{id}']

/** Of the embedded identity; Clerk has its own. Decision 0021. */
const accountPaths = ['/account/security', '/account/second-factor']

test('the application has the addresses of the spec, of plain records, the public ones and those of the account, and no others', () => {
  const wanted = [
    ...specScreens,
    ...recordScreens,
    ...Object.keys(specRedirects),
    ...publicPaths,
    ...accountPaths,
    ...ownScreens,
    '/travelers/edit/create',
  ]
  expect(known).toEqual([...new Set(wanted)].toSorted())
})

test('every screen behind sign-in has a start of its own, and no public page has one', () => {
  const withStart = known.filter((address) => startScreenOf(address, '') !== undefined)
  const isRedirect = (address: string): boolean => address in specRedirects
  expect(withStart.filter((address) => !isRedirect(address))).toEqual(
    [...specScreens, ...ownScreens, ...recordScreens, '/travelers/edit/create'].toSorted(),
  )
})

describe('redirects of the spec', () => {
  for (const [from, to] of Object.entries(specRedirects)) {
    test(`${from} leads to ${to}`, () => {
      const target =
        to === '/travelers/edit/create' ? `to: '/travelers/edit/$id', params: { id: 'create' }` : `to: '${to}'`
      const id = from === '/' ? `'/'` : from === '/travelers/create' ? `'/_dashboard${from}'` : `'/_dashboard${from}/'`
      const file = routeFiles.find(({ text }) => text.includes(`createFileRoute(${id})`))
      expect(file?.text).toContain(`redirect({ ${target}, replace: true })`)
    })
  }
})

test('every screen names its title, layout and middleware', () => {
  // frames around other screens, and the page for whatever no route takes
  const isOther = (name: string, text: string): boolean =>
    ['_dashboard.tsx', 'route.tsx'].includes(name) || text.includes("createFileRoute('/$')")
  const screens = routeFiles.filter(
    ({ name, text }) => /component: \w+Page\b|staticData/.test(text) && !isOther(name, text),
  )
  expect(screens.length).toBeGreaterThan(30)
  for (const { name, text } of screens) {
    for (const part of ['title: () => m.', "layout: '", 'middleware: [']) expect(text, name).toContain(part)
  }
})

test('every link that the application makes leads to one of its pages', () => {
  const id = '0197a5a0-0000-7000-8000-000000000001'
  const patterns = known.map((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+').replace('/*', '(/.*)?')}$`))
  for (const [name, make] of Object.entries(paths)) {
    const link = make(id)
    expect(
      patterns.some((pattern) => pattern.test(link)),
      `${name}: ${link}`,
    ).toBe(true)
  }
  for (const entry of navigationGroups.flatMap((group) => group.entries)) expect(known).toContain(entry.path)
})

test('a mistyped address finds its neighbors', () => {
  expect(nearbyEntries('/tours/al').map((entry) => entry.path)).toContain('/tours/all')
  expect(nearbyEntries('/traveller/list').map((entry) => entry.path)).toContain('/travelers/list')
})
