import { newId } from '../../platform/ids.ts'
import type { ImportSeal } from './import-seal.ts'
import type { PersonFacts } from './plan-store.ts'
import type { Change, EntityPlan } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { wordKey } from '../../platform/word-key.ts'

export interface PersonPlan {
  readonly traveler?: EntityPlan
  readonly private?: EntityPlan
  readonly passport?: EntityPlan
  readonly changes: readonly Change[]
}

/** Columns of `travelers` that a file may say, with the value as lists show it. */
interface PersonField {
  readonly field: string
  readonly column: string
  readonly said: (values: RowValues) => unknown
  readonly has: (person: PersonFacts) => unknown
}

const list = (value: unknown): string | null => {
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
  return text === '' ? null : text
}

const fields: readonly PersonField[] = [
  { field: 'first_name', column: 'first_name', said: (v) => v.firstName, has: (p) => p.firstName },
  { field: 'last_name', column: 'last_name', said: (v) => v.lastName, has: (p) => p.lastName },
  { field: 'gender', column: 'gender', said: (v) => v.gender, has: (p) => p.gender },
  { field: 'nationality', column: 'nationality', said: (v) => v.nationality, has: (p) => p.nationality },
  { field: 'email', column: 'email', said: (v) => v.email, has: (p) => p.email },
  { field: 'phone', column: 'phone', said: (v) => v.phone, has: (p) => p.phone },
  {
    field: 'dietary',
    column: 'dietary',
    said: (v) => v.dietary && v.dietary.toSorted(),
    has: (p) => p.dietary.toSorted(),
  },
  { field: 'dietary', column: 'dietary_note', said: (v) => v.dietaryNote, has: (p) => p.dietaryNote },
  {
    field: 'mobility',
    column: 'mobility',
    said: (v) => (v.mobility === null ? 'none' : v.mobility),
    has: (p) => p.mobility,
  },
  { field: 'mobility', column: 'mobility_note', said: (v) => v.mobilityNote, has: (p) => p.mobilityNote },
  { field: 'emergency_name', column: 'emergency_name', said: (v) => v.emergencyName, has: (p) => p.emergencyName },
  { field: 'emergency_phone', column: 'emergency_phone', said: (v) => v.emergencyPhone, has: (p) => p.emergencyPhone },
]

/** Columns that may not be null. Source: schema, `travelers`. */
const emptyOf: Readonly<Record<string, unknown>> = { first_name: '', last_name: '', dietary: [], mobility: 'none' }

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** A name in capitals is how some systems write it, and no reason to write ours so. */
const isShouted = (said: unknown, has: unknown): boolean =>
  typeof said === 'string' &&
  typeof has === 'string' &&
  said === said.toUpperCase() &&
  said !== said.toLowerCase() &&
  wordKey(said) === wordKey(has)

/** A guest who is not known yet. */
export function planNewPerson(values: RowValues, seal: ImportSeal): PersonPlan & { readonly traveler: EntityPlan } {
  const id = newId()
  const set: Record<string, unknown> = { languages: values.language ? [values.language] : [] }
  for (const { column, said } of fields) set[column] = said(values) ?? emptyOf[column] ?? null
  const hidden = planPrivate(id, values, undefined, seal)
  const passport = planPassport(id, values, undefined, seal)
  return {
    traveler: { id, isNew: true, version: 0, set, was: {} },
    ...(hidden.plan && { private: hidden.plan }),
    ...(passport.plan && { passport: passport.plan }),
    changes: [],
  }
}

/** What a line changes about somebody known; nothing when it says what is there. */
export function planKnownPerson(values: RowValues, person: PersonFacts, seal: ImportSeal): PersonPlan {
  const set: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  const changes: Change[] = []
  for (const { field, column, said, has } of fields) {
    const wanted = said(values)
    const present = has(person)
    if (wanted === undefined || isSame(wanted ?? emptyOf[column], present)) continue
    if (column.endsWith('_name') && isShouted(wanted, present)) continue
    set[column] = wanted ?? emptyOf[column] ?? null
    was[column] = present
    addChange(changes, field, list(present), list(wanted))
  }
  const spoken = planLanguage(values, person)
  if (spoken) {
    set['languages'] = spoken
    was['languages'] = person.languages
    addChange(changes, 'language', list(person.languages), list(spoken))
  }
  const hidden = planPrivate(person.travelerId, values, person, seal)
  const passport = planPassport(person.travelerId, values, person, seal)
  const isTouched = Object.keys(set).length > 0
  return {
    ...(isTouched && {
      traveler: {
        id: person.travelerId,
        isNew: false,
        version: person.version,
        set,
        was: { ...was, import_batch_id: person.importBatchId },
      },
    }),
    ...(hidden.plan && { private: hidden.plan }),
    ...(passport.plan && { passport: passport.plan }),
    changes: [...changes, ...hidden.changes, ...passport.changes],
  }
}

/** Needs and their note are one field to the eye. */
function addChange(changes: Change[], field: string, before: string | null, after: string | null): void {
  const at = changes.findIndex((change) => change.field === field)
  const known = changes[at]
  if (!known) changes.push({ field, before, after })
  else {
    const joined = (a: string | null, b: string | null) => [a, b].filter(Boolean).join(', ') || null
    changes[at] = { field, before: joined(known.before, before), after: joined(known.after, after) }
  }
}

/** A language is added to those that somebody speaks. */
function planLanguage({ language }: RowValues, person: PersonFacts): string[] | undefined {
  if (language === undefined) return undefined
  if (language === null) return person.languages.length > 0 ? [] : undefined
  return person.languages.includes(language) ? undefined : [language, ...person.languages]
}

interface Planned {
  readonly plan?: EntityPlan
  readonly changes: readonly Change[]
}

const hidden = (value: string | null | undefined): string | null => (value ? '•••' : null)

function planPrivate(id: string, values: RowValues, person: PersonFacts | undefined, seal: ImportSeal): Planned {
  const { dateOfBirth } = values
  // open in memory, so that the lines of a person can be compared; the staging table gets it encrypted
  const medicalNote = values.medicalNote && seal.open(values.medicalNote.sealed)
  const set: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  const changes: Change[] = []
  const dateBefore = person?.dateOfBirth ?? null
  const sealedBefore = person?.medicalSealed ?? null
  const noteBefore = sealedBefore && seal.openStored('traveler_private.medical_sealed', id, sealedBefore)
  if (dateOfBirth !== undefined && dateOfBirth !== dateBefore) {
    set['date_of_birth'] = dateOfBirth
    was['date_of_birth'] = dateBefore
    changes.push({ field: 'date_of_birth', before: dateBefore, after: dateOfBirth })
  }
  if (medicalNote !== undefined && medicalNote !== noteBefore) {
    set['medical_sealed'] = medicalNote
    was['medical_sealed'] = sealedBefore && `\\x${sealedBefore}`
    changes.push({ field: 'medical_note', before: hidden(sealedBefore), after: hidden(medicalNote) })
  }
  if (Object.keys(set).length === 0) return { changes: [] }
  const version = person?.privateVersion ?? null
  const plan: EntityPlan = {
    id,
    isNew: version === null,
    version: version ?? 0,
    set,
    was: { ...was, import_batch_id: person?.privateImportBatchId ?? null },
  }
  return { plan, changes }
}

function planPassport(
  travelerId: string,
  values: RowValues,
  person: PersonFacts | undefined,
  seal: ImportSeal,
): Planned {
  const { passport, passportExpiry } = values
  const set: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  const changes: Change[] = []
  const number = passport && seal.open(passport.sealed)
  if (passport && number !== numberOf(person, seal)) {
    // open in memory, so that the lines of a person can be compared; the staging table gets it encrypted
    set['number_encrypted'] = number
    set['number_last4'] = passport.last4
    was['number_encrypted'] = person?.passportSealed ? `\\x${person.passportSealed}` : null
    was['number_last4'] = person?.passportLast4 ?? null
    changes.push({
      field: 'passport_number',
      before: person?.passportLast4 ? `••• ${person.passportLast4}` : null,
      after: `••• ${passport.last4}`,
    })
  }
  if (passportExpiry && passportExpiry !== person?.passportExpiry) {
    set['expires_on'] = passportExpiry
    was['expires_on'] = person?.passportExpiry ?? null
    changes.push({ field: 'passport_expiry', before: person?.passportExpiry ?? null, after: passportExpiry })
  }
  if (Object.keys(set).length === 0) return { changes: [] }
  const id = person?.passportId ?? null
  const plan: EntityPlan =
    id === null
      ? { id: newId(), isNew: true, version: 0, set: { traveler_id: travelerId, kind: 'passport', ...set }, was: {} }
      : {
          id,
          isNew: false,
          version: person?.passportVersion ?? 0,
          set,
          was: { ...was, import_batch_id: person?.passportImportBatchId ?? null },
        }
  return { plan, changes }
}

function numberOf(person: PersonFacts | undefined, seal: ImportSeal): string | undefined {
  const { passportId, passportSealed } = person ?? {}
  if (!passportId || !passportSealed) return undefined
  return seal.openStored('traveler_documents.number_encrypted', passportId, passportSealed)
}
