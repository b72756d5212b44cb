import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { sensitiveImportFields } from '@tour-ops/contract/sensitive-data'
import { fieldOfHeader } from './import-headers.ts'
import { wordKey } from '../../platform/word-key.ts'

/** Parts of headers, in English, German, Spanish, French and Italian, under which passports, birth dates and medical notes are found. */
const sensitiveHeader = new RegExp(
  String.raw`\b(?:${[
    String.raw`pass|passport\w*|pass(?:nr|nummer)|reisepass\w*|pasaporte\w*|passeport\w*|passaport\w*|ausweis\w*|personalausweis\w*|dni|nie|curp`,
    String.raw`id (?:no|nr|number|card)|identity|identit\w*|identidad|document\w*|dokument\w*|visa|visum|visado`,
    String.raw`birth\w*|born|dob|geb|gebdatum|geboren\w*|geburt\w*|nacim\w*|nacid\w*|fnac|naissance|nee? le|nee?|nascita|nat[oa]`,
    String.raw`medic\w*|medizin\w*|health|gesundheit\w*|salud|sante|salute|malad\w*|malatt\w*|illness\w*|disease\w*|krankheit\w*|enfermedad\w*|medikament\w*`,
    String.raw`expir\w*|caduc\w*|vencim\w*|scaden\w*|validite|gultig\w*|valid (?:until|to)`,
  ].join('|')})\b`,
)

/** Headers that name a passport and are something else: the name as printed there, the country that issued it. */
const openHeader =
  /\b(?:name\w*|\w+name|nombre\w*|apellido\w*|country|land|nationality|nationalitat|pais|nacionalidad|pays|paese|nationalite|nazionalita|nom|prenom|nome|cognome|place|lugar|lieu|luogo|ort|\w+ort)\b/

/** Words that a medical note has and other remarks mostly do not. */
const medicalWord =
  /diabet|insulin|epilep|asthma|asma\b|anaphyl|anafil|epi-?pen|pregnan|schwanger|embaraz|pacemaker|schrittmacher|marcapasos|heart (?:condition|attack|disease)|herz(?:krank|infarkt|fehler)|cardi[ao]|medication|medikament|medicaci|cancer|krebs\b|cáncer|\bhiv\b|\bvih\b|depress|dialys|seizure|krampfanf|blood (?:pressure|thinner)|bluthochdruck|hipertensi|enceinte|incinta|gravidanza|épilep|epiless|asthme|médicament|farmac[io]|tumor|hypertension|ipertension/i

/** Five digits at least, letters perhaps, no other characters: how numbers of passports and identity cards look in all countries. */
function looksLikeDocument(value: string): boolean {
  const compact = value.replaceAll(/[\s-]/g, '')
  return /^[A-Z0-9]{6,14}$/i.test(compact) && (compact.match(/\d/g)?.length ?? 0) >= 5
}

/** A column counts as one of documents or dates when a fifth of its cells look so; the rest may be typing errors. */
const share = 5

/** What a column is called when it says nothing about being sensitive. */
const openField = (header: string): ImportField | undefined => {
  const field = fieldOfHeader(header)
  return field !== undefined && sensitiveImportFields.includes(field) ? undefined : field
}

/** Whether a column is sensitive by what it is called. */
export function isSensitiveHeader(header: string): boolean {
  if (openField(header) !== undefined) return false
  const key = wordKey(header)
  return fieldOfHeader(header) !== undefined || (sensitiveHeader.test(key) && !openHeader.test(key))
}

/** Checks the cells of one column for what its header does not show. */
export class SensitiveValues {
  readonly #isUnknown: boolean
  readonly #isRemark: boolean
  #seen = 0
  #documents = 0
  #dates = 0
  #hasMedical = false

  constructor(header: string) {
    const field = openField(header)
    this.#isUnknown = field === undefined
    this.#isRemark = field === undefined || field === 'notes'
  }

  see(value: string, isDate: boolean): void {
    this.#seen += 1
    if (this.#isUnknown && isDate) this.#dates += 1
    else if (this.#isUnknown && value.length <= 20 && looksLikeDocument(value)) this.#documents += 1
    if (this.#isRemark && !this.#hasMedical) this.#hasMedical = medicalWord.test(value)
  }

  get found(): boolean {
    return this.#hasMedical || Math.max(this.#documents, this.#dates) * share >= Math.max(this.#seen, 1)
  }
}

/** Fields that the database has in clear, since it computes with them. */
const openDates: ReadonlySet<ImportField> = new Set(['date_of_birth', 'passport_expiry'])

/**
 * Whether the check may store what it quotes of a cell in a sensitive column: dates of the guest. Anything else is encrypted where it belongs,
 * and would not be here.
 *
 * @param isDate The cell was read as a date, though not as a right one.
 */
export const isQuotable = (field: ImportField | undefined, value: string, isDate: boolean): boolean =>
  field !== undefined && openDates.has(field) && (isDate || (/\d[./]\d/.test(value) && !medicalWord.test(value)))

/** The field that a column goes to. */
export const fieldOf = ({ columns }: Pick<ImportMapping, 'columns'>, header: string): ImportField | undefined =>
  Object.hasOwn(columns, header) ? columns[header] : undefined

export const isSensitiveField = (field: string | undefined): boolean =>
  (sensitiveImportFields as readonly (string | undefined)[]).includes(field)
