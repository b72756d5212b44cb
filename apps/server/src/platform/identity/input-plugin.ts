import type { BetterAuthPlugin } from '@better-auth/core'
import { AppError } from '@tour-ops/contract/errors'
import { withoutDirection } from '@tour-ops/contract/fields'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { checkCallData } from '../call-data.ts'

/** Longest texts by the name of their field, in characters; the database cuts at the same lengths what comes from elsewhere. */
const longest: Readonly<Record<string, number>> = {
  name: 200,
  firstName: 100,
  lastName: 100,
  email: 254,
  slug: 60,
  image: 2_000,
  logo: 2_000,
}
/** Of every other text; a signed message of a wallet is the longest that is meant. */
const longestOther = 4_000
const longestMetadata = 2_000

const control = /[\p{Cc}\u2028\u2029]/u
const address = /^(https?:\/\/|\/(?!\/))/

/** Lengths and characters of what the identity endpoints take; the library itself asks only for a text. */
export const inputPlugin = () =>
  ({
    id: 'input',
    hooks: {
      before: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (ctx) => {
            for (const given of [ctx.body, ctx.query] as unknown[]) refuseHostile(given)
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

/** @throws APIError 400, code `INVALID_{FIELD}` */
function refuseHostile(given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  try {
    checkCallData(given)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [field = ''] = Object.keys(error.details.fieldErrors ?? {})
    throw refused(field, error.details.fieldErrors?.[field]?.[0] ?? error.message)
  }
  for (const [field, value] of Object.entries(given)) {
    if (field === 'metadata') refuseLongMetadata(value)
    // the new values of an organization are in a nested object
    else if (field === 'data') refuseHostile(value)
    else if (typeof value === 'string') refuseHostileText(field, value)
  }
}

function refuseLongMetadata(value: unknown): void {
  if (value === undefined || JSON.stringify(value).length <= longestMetadata) return
  throw refused('metadata', `At most ${longestMetadata} characters.`)
}

function refuseHostileText(field: string, text: string): void {
  const most = longest[field] ?? longestOther
  if (text.length > most) throw refused(field, `At most ${most} characters.`)
  if (!(field in longest)) return
  if (control.test(text) || withoutDirection(text) !== text)
    throw refused(field, 'Use one line without control characters.')
  const isPicture = field === 'image' || field === 'logo'
  if (isPicture && text !== '' && !address.test(text)) throw refused(field, 'Use an address that begins with https://.')
}

const refused = (field: string, message: string): APIError =>
  new APIError('BAD_REQUEST', {
    code: `INVALID_${
      field
        .replaceAll(/[^A-Za-z]/g, '')
        .slice(0, 40)
        .toUpperCase() || 'INPUT'
    }`,
    message,
  })
