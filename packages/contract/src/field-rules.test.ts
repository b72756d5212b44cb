import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { askForAccess } from './members/access-requests.ts'
import { createBooking } from './bookings/bookings.ts'
import { callables } from './callables.ts'
import { scheduleDepartures } from './departures/departure-schedule.ts'
import { documentRequests, ListenRequest } from './live/documents.ts'
import { issueOf } from './field-issue.ts'
import { fieldError, isFieldRule, messageOfIssue } from './field-rules.ts'
import { NewUpload } from './files.ts'
import { livePaths } from './live/live-paths.ts'
import { listTravelers } from './travelers/travelers.ts'

/** What may name a rule: a shape, and each of its checks. */
interface Node {
  readonly _zod: {
    readonly def: Readonly<Record<string, unknown>> & {
      readonly error?: (issue: { code: string; input: unknown }) => unknown
      readonly checks?: readonly Node[]
    }
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && '_zod' in value

const issueCodes = ['invalid_type', 'too_big', 'too_small', 'invalid_format', 'unrecognized_keys', 'custom']

/** What the checks of a shape and of everything inside say instead of the general rules. */
function namedIn(node: Node, seen: Set<Node>): unknown[] {
  if (seen.has(node)) return []
  seen.add(node)
  const { def } = node._zod
  const inner = Object.values(def).flatMap((part): unknown[] => {
    if (Array.isArray(part)) return part
    return typeof part === 'object' && part !== null && !isNode(part) ? Object.values(part) : [part]
  })
  const own = def.error ? issueCodes.map((code) => def.error?.({ code, input: 1 })) : []
  return [...own, ...inner.filter(isNode).flatMap((each) => namedIn(each, seen))].filter((name) => name !== undefined)
}

const shapes: readonly z.ZodMiniType[] = [
  ...callables.map(({ input }) => input),
  ...Object.values(livePaths).flatMap((rule) => ('data' in rule && rule.data ? [rule.data] : [])),
  ...Object.values(documentRequests),
  ListenRequest,
  NewUpload,
]

test('every check of a shape that names a rule names one of the table', () => {
  const seen = new Set<Node>()
  const named = shapes.flatMap((shape) => namedIn(shape as unknown as Node, seen))
  expect(named.length).toBeGreaterThan(150)
  expect([...new Set(named)].filter((name) => typeof name !== 'string' || !isFieldRule(name))).toEqual([])
})

const issuesOf = (schema: z.ZodMiniType, input: unknown) => {
  const { error } = schema.safeParse(input)
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issueOf(issue)]))
}

test('a check without a name is reported by its kind, with its limit', () => {
  const issues = issuesOf(listTravelers.input, { q: 'x'.repeat(101), size: 501, page: 0, filters: 7, sort: [1] })
  expect(issues).toMatchObject({
    q: { code: 'too_long', params: { max: 100 } },
    size: { code: 'too_large', params: { max: 500 } },
    page: { code: 'too_small', params: { min: 1 } },
    filters: { code: 'wrong_form' },
    'sort.0': { code: 'wrong_form' },
  })
  expect(
    issuesOf(scheduleDepartures.input, { startTimesLocal: Array.from({ length: 25 }, () => '09:00') }),
  ).toMatchObject({
    startTimesLocal: { code: 'too_many', params: { max: 24 } },
  })
  expect(issuesOf(createBooking.input, {})).toMatchObject({ units: { code: 'required' } })
  expect(issuesOf(askForAccess.input, { permission: 'x', path: 'tours' })).toMatchObject({
    permission: { code: 'not_listed' },
    path: { code: 'path_form' },
  })
})

test('an issue has an English message for programs, with its numbers', () => {
  expect(messageOfIssue({ code: 'too_long', params: { max: 1 } })).toBe('At most 1 character.')
  expect(messageOfIssue({ code: 'of_a_later_version' })).toBe('of_a_later_version')
  expect(fieldError('until', 'link_too_long', { days: 400 })).toMatchObject({
    code: 'invalid-argument',
    message: 'A link is valid for 400 days at most.',
    details: {
      fieldErrors: { until: ['A link is valid for 400 days at most.'] },
      fieldIssues: { until: [{ code: 'link_too_long', params: { days: 400 } }] },
    },
  })
})
