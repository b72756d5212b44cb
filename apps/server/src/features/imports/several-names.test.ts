import { expect, test } from 'vitest'
import { namesIn } from './several-names.ts'

const read = (text: string, header?: string) => {
  const { names, isCertain } = namesIn(text, header)
  return [isCertain, ...names.map(({ firstName, lastName }) => `${firstName}|${lastName}`)]
}

test.each([
  ['Amara Okafor; Jonas Weber', ['Amara|Okafor', 'Jonas|Weber']],
  ['Amara Okafor & Jonas Weber', ['Amara|Okafor', 'Jonas|Weber']],
  ['Amara Okafor und Jonas Weber', ['Amara|Okafor', 'Jonas|Weber']],
  ['Ana Gil y Luis Gil', ['Ana|Gil', 'Luis|Gil']],
  ['Anne Roux et Luc Roux', ['Anne|Roux', 'Luc|Roux']],
  ['Marco Rossi e Giulia Bianchi', ['Marco|Rossi', 'Giulia|Bianchi']],
  ['Marco e Giulia Rossi', ['Marco|Rossi', 'Giulia|Rossi']],
  ['Amara Okafor\nJonas Weber\r\nMia Wolf', ['Amara|Okafor', 'Jonas|Weber', 'Mia|Wolf']],
  ['Amara Okafor\u000BJonas Weber', ['Amara|Okafor', 'Jonas|Weber']],
  ['John Smith, Mary Smith', ['John|Smith', 'Mary|Smith']],
  ['John & Mary Smith', ['John|Smith', 'Mary|Smith']],
  ['Tom, John & Mary Smith'.replace(',', ' &'), ['Tom|Smith', 'John|Smith', 'Mary|Smith']],
  ['Smith, John; Smith, Mary', ['John|Smith', 'Mary|Smith']],
  ['Ana Gil, Bo Lund, Cem Kaya', ['Ana|Gil', 'Bo|Lund', 'Cem|Kaya']],
  ['Mr John Smith & Mrs Mary Smith', ['Mr John|Smith', 'Mrs Mary|Smith']],
  ['山田 太郎; 佐藤 花子', ['太郎|山田', '花子|佐藤']],
])('each name of %j is a guest', (text, names) => {
  expect(read(text)).toEqual([true, ...names])
})

test.each([
  ['Smith, John', 'John|Smith'],
  ['Andreas Anderson', 'Andreas|Anderson'],
  ['José Castro e Almeida', 'José Castro e|Almeida'],
  ['José da Costa e Silva', 'José da Costa e|Silva'],
  ['Pedro de Sousa e Melo Breyner', 'Pedro de Sousa e Melo|Breyner'],
  ['山田 太郎', '太郎|山田'],
  ['O’Brien-Smith, Mary Ann', 'Mary Ann|O’Brien-Smith'],
])('%j is one name', (text, name) => {
  expect(read(text)).toEqual([false, name])
})

test.each([
  // one guest with two family names and two first names, or two guests
  'García López, María José',
  'José Ortega y Gasset',
  'Ortega y Gasset, José',
  'Santiago Ramón y Cajal',
  'Jane & John',
  'Jane Doe & John',
  'John Smith & family',
  'John Smith + 2 friends',
  'John Smith; 2 children',
  'Mr & Mrs Smith',
  'John Smith; John Smith',
  'John Smith; john@example.com',
  'John Smith / Hotel Grand Plaza',
  'Tom, Jane & John Doe',
  `Amara Okafor; Jonas ${'x'.repeat(81)}`,
])('of %j only the first name is certain', (text) => {
  expect(read(text)[0]).toBe(false)
  expect(read(text).length).toBeGreaterThan(2)
})

test('a header that speaks of names says that two of them are two', () => {
  expect(read('Amara Okafor, Jonas Weber', 'Guest names')).toEqual([true, 'Amara|Okafor', 'Jonas|Weber'])
  expect(read('Amara Okafor, Jonas Weber', 'Name')[0]).toBe(false)
})
