import { expect, test } from 'vitest'
import { firestoreFieldsOf, jsonOfFields } from './firestore-values.ts'

test('what a document holds is decoded unchanged', () => {
  const data = {
    nothing: null,
    yes: true,
    no: false,
    text: '',
    whole: -7,
    half: 0.5,
    large: 2 ** 60,
    list: [1, 'two', [], { three: 3 }],
    inner: { empty: {}, deep: { deeper: null } },
  }
  expect(jsonOfFields(firestoreFieldsOf(data))).toEqual(data)
})

test('whole numbers travel as integers and others as doubles, so that a filter meets its own kind', () => {
  expect(firestoreFieldsOf({ whole: 3, half: 3.5, large: 2 ** 60 })).toEqual({
    whole: { integerValue: '3' },
    half: { doubleValue: 3.5 },
    large: { doubleValue: 2 ** 60 },
  })
})

test('lists and maps without content, which the wire leaves out, are empty', () => {
  expect(jsonOfFields({ list: { arrayValue: {} }, map: { mapValue: {} } })).toEqual({ list: [], map: {} })
})
