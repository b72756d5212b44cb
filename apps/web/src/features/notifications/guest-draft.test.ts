import { expect, test } from 'vitest'
import { draftOf, isSameDraft, problemsOfDraft, textsOf } from './guest-draft.ts'

const written = { subject: 'News', body: 'Hello {{name}}' }

test('a language in which nothing is written is not sent', () => {
  expect(textsOf({ en: written, de: { subject: ' ', body: '' } })).toEqual([{ language: 'en', ...written }])
  expect(draftOf([{ language: 'es', ...written }])).toEqual({ es: written })
})

test('what is missing or wrong is named in its language, and the rest is not', () => {
  const problems = problemsOfDraft({
    en: written,
    de: { subject: '', body: 'Guten Tag {{nmae}}' },
    es: { subject: 'Hola', body: 'Aquí: {{link}}' },
  })
  expect(problems.en).toBeUndefined()
  expect(Object.keys(problems.de ?? {}).toSorted()).toEqual(['body', 'subject'])
  expect(problems.de?.body).toContain('nmae')
  expect(Object.keys(problems.es ?? {})).toEqual(['body'])
})

test('a draft is as it was when the same would be sent', () => {
  expect(isSameDraft({ en: written }, { en: written, de: { subject: '', body: '' } })).toBe(true)
  expect(isSameDraft({ en: written }, { en: { ...written, body: 'Hi' } })).toBe(false)
})
