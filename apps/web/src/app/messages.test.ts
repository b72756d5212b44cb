import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { locales, type Locale } from '@tour-ops/contract/page-config'
import { describe, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '../../messages')
const areas = readdirSync(folder)

type Messages = Record<string, unknown>

const read = (area: string, locale: string): Messages => {
  const { $schema: _schema, ...messages } = JSON.parse(
    readFileSync(path.join(folder, area, `${locale}.json`), 'utf8'),
  ) as Messages
  return messages
}

/** How nobody is addressed: the product says "Sie" and "usted". */
const familiar: Record<Exclude<Locale, 'en'>, RegExp> = {
  de: /\b(du|dir|dich|dein\w*|euch|euer|eure\w*|kannst|hast|ihr habt)\b/i,
  es: /(?<!\p{L})(tú|tus?|tuy[oa]s?|ti|contigo|te|eres|puedes|tienes|necesitas|quieres|habéis|vosotros)(?!\p{L})/iu,
}

/** What a message takes: `{count}` in a sentence, `input count` in a plural. */
const inputsOf = (message: unknown): string[] => [
  ...new Set(
    [...JSON.stringify(message).matchAll(/\{(\w+)\}|"input (\w+)"/g)].map((match) => match[1] ?? match[2] ?? ''),
  ),
]

const settings = JSON.parse(readFileSync(path.join(folder, '../project.inlang/settings.json'), 'utf8')) as {
  locales: string[]
  'plugin.inlang.messageFormat': { pathPattern: string[] }
}

test('every area of messages is compiled, in the languages of the contract', () => {
  const compiled = settings['plugin.inlang.messageFormat'].pathPattern.map((pattern) => pattern.split('/')[2])
  expect(new Set(compiled)).toEqual(new Set(areas))
  expect(settings.locales).toEqual([...locales])
})

describe.each(areas)('messages of %s', (area) => {
  const english = read(area, 'en')

  test('begin with the name of their area', () => {
    expect(Object.keys(english).filter((key) => !key.startsWith(`${area}_`))).toEqual([])
  })

  for (const locale of locales.filter((each) => each !== 'en')) {
    test(`are complete in ${locale} and take the same values`, () => {
      const translated = read(area, locale)
      expect(Object.keys(translated).toSorted()).toEqual(Object.keys(english).toSorted())
      for (const [key, message] of Object.entries(english)) {
        expect(inputsOf(translated[key]).toSorted(), key).toEqual(inputsOf(message).toSorted())
        expect(JSON.stringify(translated[key]), key).not.toBe('""')
        expect(JSON.stringify(translated[key]), key).not.toMatch(familiar[locale])
      }
    })
  }
})
