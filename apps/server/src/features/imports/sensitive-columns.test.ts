import { expect, test } from 'vitest'
import { isSensitiveHeader, SensitiveValues } from './sensitive-columns.ts'

test.each([
  'Passport',
  'passport_number',
  'Pass Nr.',
  'Reisepassnummer',
  'N.º de pasaporte',
  'DNI/NIE',
  'ID card',
  'Travel document',
  'Visa',
  'DOB',
  'Geb.',
  'Geburtsdatum des Gastes',
  'F. nacimiento',
  'Date of birth (2)',
  'Medical needs',
  'Gesundheitliches',
  'Condición de salud',
  'Expires',
  'Gültig bis',
  'N° de passeport',
  'Passaporto',
  'Carte d’identité',
  'Né(e) le',
  'Data di nascita dell’ospite',
  'Problèmes de santé',
  'Scadenza documento',
])('a column is sensitive by its header: %s', (header) => {
  expect(isSensitiveHeader(header)).toBe(true)
})

test.each([
  'Name',
  'Name as in passport',
  'Passport country',
  'Place of birth',
  'Trip code',
  'Order no.',
  'Date',
  'Notes',
  'Mobile',
  'Internal',
  'Compass',
  'Lieu de naissance',
  'Nome sul passaporto',
  'Nationalité',
])('a column is open by its header: %s', (header) => {
  expect(isSensitiveHeader(header)).toBe(false)
})

const looks = (header: string, values: readonly string[]): boolean => {
  const column = new SensitiveValues(header)
  for (const value of values) column.see(value, /^\d\d\.\d\d\.\d{4}$/.test(value))
  return column.found
}

test('a column whose header says nothing is sensitive by its values', () => {
  expect(looks('Internal', ['X1234567', 'C01X00T47', ''])).toBe(true)
  expect(looks('Internal', ['04.07.1989', 'unknown'])).toBe(true)
  expect(looks('Internal', ['-', 'takes insulin twice a day'])).toBe(true)
  expect(looks('Internal', ['-', 'enceinte de 5 mois'])).toBe(true)
  expect(looks('Internal', ['x7', 'window seat', '12,50', '+44 7700 900181'])).toBe(false)
  expect(looks('Internal', ['a', 'b', 'c', 'd', 'e', 'X1234567'])).toBe(false)
  expect(looks('Internal', [])).toBe(false)
})

test('references, phones and dates of tours are no documents, and remarks are checked for medical words only', () => {
  expect(looks('Order no.', ['10023456'])).toBe(false)
  expect(looks('Date', ['21.11.2031'])).toBe(false)
  expect(looks('Notes', ['10023456', '21.11.2031'])).toBe(false)
  expect(looks('Notes', ['Epilepsie'])).toBe(true)
})
