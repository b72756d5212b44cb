import type { JsonObject, JsonValue } from '@tour-ops/contract/documents'

/** A value as Firestore's REST interface writes it; a subset, since our documents hold JSON only. */
export type FirestoreValue =
  | { readonly nullValue: null }
  | { readonly booleanValue: boolean }
  | { readonly integerValue: string }
  | { readonly doubleValue: number }
  | { readonly stringValue: string }
  | { readonly arrayValue: { readonly values: readonly FirestoreValue[] } }
  | { readonly mapValue: { readonly fields: FirestoreFields } }

export type FirestoreFields = Readonly<Record<string, FirestoreValue>>

/** @see https://firebase.google.com/docs/firestore/reference/rest/v1/Value */
function valueOf(value: JsonValue): FirestoreValue {
  if (value === null) return { nullValue: null }
  if (typeof value === 'boolean') return { booleanValue: value }
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { integerValue: String(value) } : { doubleValue: value }
  }
  if (isList(value)) return { arrayValue: { values: value.map(valueOf) } }
  return { mapValue: { fields: fieldsOf(value) } }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** The fields of a document. */
export const fieldsOf = (data: JsonObject): FirestoreFields =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, valueOf(value)]))
