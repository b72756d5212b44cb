import { serversOf } from './platform/db/primary.ts'
import { isLoopback } from './platform/loopback.ts'

export type Env = Readonly<Record<string, string | undefined>>

export type Reader = ReturnType<typeof reader>

/** Reads single settings; a wrong one adds a sentence to `problems` and gives the default, so that reading continues. */
export function reader(env: Env) {
  const problems: string[] = []
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value ? value : null
  }
  const originOf = (name: string, value: string): string | null => {
    const url = URL.parse(value)
    if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash) return url.origin
    problems.push(`${name} must be an address without a path, such as "https://tours.example.com", got "${value}".`)
    return null
  }
  return {
    problems,
    text,
    originOf,
    origin: (name: string) => {
      const value = text(name)
      return value === null ? null : originOf(name, value)
    },
    list: (name: string) => text(name)?.split(/[\s,]+/) ?? [],
    hostOf: (name: string, value: string): string | null => {
      if (/^https:\/\/[a-z0-9*.-]+(:\d+)?$/i.test(value)) return value
      // a browser lets a page of this computer alone read from it without encryption
      const url = /^http:\/\/[a-z0-9.-]+(:\d+)?$/i.test(value) ? URL.parse(value) : null
      if (url && isLoopback(url.hostname)) return value
      problems.push(`${name} must list hosts such as "https://tiles.example.com", got "${value}".`)
      return null
    },
    bareHostOf: (name: string, value: string): string | null => {
      if (/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/i.test(value)) return value.toLowerCase()
      problems.push(`${name} must list hosts such as "osrm:5000", got "${value}".`)
      return null
    },
    whole: (name: string, fallback: number, least: number, most: number): number => {
      const value = text(name)
      if (value === null) return fallback
      const number = Number(value)
      if (Number.isInteger(number) && number >= least && number <= most) return number
      problems.push(`${name} must be a whole number from ${least} to ${most}, got "${value}".`)
      return fallback
    },
    flag: (name: string, fallback: boolean): boolean => {
      const value = text(name)?.toLowerCase()
      if (value === undefined) return fallback
      if (['on', 'true', '1', 'yes'].includes(value)) return true
      if (['off', 'false', '0', 'no'].includes(value)) return false
      problems.push(`${name} must be "on" or "off", got "${value}".`)
      return fallback
    },
    choice: <const T extends string>(name: string, choices: readonly T[], fallback: T): T => {
      const value = text(name)
      if (value === null) return fallback
      const found = choices.find((choice) => choice === value)
      if (found !== undefined) return found
      const list = choices.map((choice) => `"${choice}"`).join(', ')
      problems.push(`${name} must be ${choices.length > 1 ? 'one of ' : ''}${list}, got "${value}".`)
      return fallback
    },
    url: (name: string, protocols: readonly string[]): string | null => {
      const value = text(name)
      if (value === null) return null
      const urls = serversOf(value).map((url) => URL.parse(url))
      if (urls.every((url) => url && protocols.includes(url.protocol))) return value
      // the value itself may hold a password, so it is not repeated
      problems.push(`${name} must be an address that starts with ${protocols.map((p) => `"${p}//"`).join(' or ')}.`)
      return null
    },
    /** `off` or how many proxies; `on` means one. */
    hops: (name: string): number => {
      const value = text(name)?.toLowerCase()
      if (value === undefined || ['off', 'false', 'no'].includes(value)) return 0
      if (['on', 'true', 'yes'].includes(value)) return 1
      const number = Number(value)
      if (Number.isInteger(number) && number >= 0 && number <= 10) return number
      problems.push(`${name} must be "off", "on" or the number of proxies in front (0 to 10), got "${value}".`)
      return 0
    },
    secret: (name: string, minLength: number): string | null => {
      const value = text(name)
      if (value === null || value.length >= minLength) return value
      problems.push(`${name} must have at least ${minLength} characters, it has ${value.length}.`)
      return null
    },
  }
}
