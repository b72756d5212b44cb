import type { JsonObject, JsonValue } from './documents.ts'

/** A value as Firestore's REST interface writes it; the kinds that JSON needs. */
export type FirestoreValue =
  | { readonly nullValue: null }
  | { readonly booleanValue: boolean }
  | { readonly integerValue: string }
  | { readonly doubleValue: number }
  | { readonly stringValue: string }
  | { readonly timestampValue: string }
  | { readonly arrayValue: { readonly values?: readonly FirestoreValue[] } }
  | { readonly mapValue: { readonly fields?: FirestoreFields } }

export type FirestoreFields = Readonly<Record<string, FirestoreValue>>

/** @see https://firebase.google.com/docs/firestore/reference/rest/v1/Value */
export function firestoreValueOf(value: JsonValue): FirestoreValue {
  if (value === null) return { nullValue: null }
  if (typeof value === 'boolean') return { booleanValue: value }
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { integerValue: String(value) } : { doubleValue: value }
  }
  if (isList(value)) return { arrayValue: { values: value.map(firestoreValueOf) } }
  return { mapValue: { fields: firestoreFieldsOf(value) } }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** The fields of a document. */
export const firestoreFieldsOf = (data: JsonObject): FirestoreFields =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, firestoreValueOf(value)]))

/** The way back. A time comes as its text. */
export const jsonOfFields = (fields: FirestoreFields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, jsonOf(value)]))

function jsonOf(value: FirestoreValue): JsonValue {
  if ('integerValue' in value) return Number(value.integerValue)
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map(jsonOf)
  if ('mapValue' in value) return jsonOfFields(value.mapValue.fields ?? {})
  if ('stringValue' in value) return value.stringValue
  if ('doubleValue' in value) return value.doubleValue
  if ('booleanValue' in value) return value.booleanValue
  if ('timestampValue' in value) return value.timestampValue
  return null
}
