import { createHmac, randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { withoutDirection } from '@tour-ops/contract/fields'
import { passCookiePrefix } from '@tour-ops/contract/links/link-key'
import { hashOfToken } from './address-token.ts'

const scrypt = promisify<string, Buffer, number, Buffer>(scryptWithCallback)

const hashBytes = 32

/** What the database knows of a passcode: a salt and a hash that is slow to compute (scrypt with Node's cost, N = 16,384). Source: RFC 7914. */
export async function hashOfPasscode(passcode: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await scrypt(normalized(passcode), salt, hashBytes)
  return `scrypt.${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Whether a passcode is the one of the hash. */
export async function isPasscode(stored: string, given: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('.')
  const wanted = Buffer.from(hash, 'base64url')
  const found = await scrypt(normalized(given), Buffer.from(salt, 'base64url'), hashBytes)
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}

/** Keyboards write the same letter in several ways, and what is pasted brings characters along that nobody sees. */
const normalized = (passcode: string): string => withoutDirection(passcode).trim().normalize('NFKC')

/**
 * What a browser shows afterwards: made of the address and the stored hash, so that another passcode and another address of the link end it.
 */
export const passOf = (secret: string, token: string, passcodeHash: string): string =>
  createHmac('sha256', secret)
    .update(`link pass ${hashOfToken(token).toString('base64url')} ${passcodeHash}`)
    .digest('base64url')

/** Each address has a cookie of its own: a browser may have several links open. */
export const passCookieOf = (token: string): string =>
  `${passCookiePrefix}${hashOfToken(token).toString('hex').slice(0, 16)}`

/** Whether somebody shows the pass that is wanted; compared in the same time, however much of it is right. */
export function isPass(shown: string | null, wanted: string): boolean {
  const [given, right] = [Buffer.from(shown ?? ''), Buffer.from(wanted)]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Whether the cookies of a request show the pass that is wanted at this address. */
export function hasPass(cookies: string | undefined, token: string, wanted: string): boolean {
  const start = `${passCookieOf(token)}=`
  const pairs = (cookies ?? '').split(';').map((cookie) => cookie.trim())
  return pairs.some((pair) => pair.startsWith(start) && isPass(pair.slice(start.length), wanted))
}

/** Wrong passcodes of one address that cost no waiting: people mistype. */
const freeFailures = 3
const firstWaitS = 5
const longestWaitS = 15 * 60

/** Seconds until the next try after so many wrong ones: nothing at first, then twice as long each time, up to a quarter of an hour. */
export const waitAfter = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestWaitS, firstWaitS * 2 ** (failures - freeFailures))
