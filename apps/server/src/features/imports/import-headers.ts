import type { ImportField, importPresets } from '@tour-ops/contract/imports/imports'
import { wordKey } from './word-key.ts'

export type ImportPreset = (typeof importPresets)[number]

/**
 * What columns are called: our own names, those of the Tourplan rooming list and of TrovaTrip-like manifests, and what agents write in
 * English, German and Spanish. See docs/domain.md, "Imports".
 */
const synonyms: Readonly<Record<ImportField, readonly string[]>> = {
  booking_ref: [
    'booking ref',
    'booking reference',
    'booking no',
    'booking number',
    'booking id',
    'pnr',
    'reservation',
    'reservation number',
    'confirmation',
    'confirmation number',
    'buchungsnummer',
    'buchungscode',
    'buchung',
    'referencia',
    'numero de reserva',
    'reserva',
    'localizador',
  ],
  external_ref: [
    'external ref',
    'external reference',
    'external id',
    'order id',
    'order no',
    'order number',
    'order',
    'agent ref',
    'agent reference',
    'voucher',
    'voucher no',
    'supplier reference',
    'bestellnummer',
    'auftragsnummer',
    'auftrag',
    'externe referenz',
    'referencia externa',
    'pedido',
    'numero de pedido',
  ],
  channel: [
    'channel',
    'reseller',
    'agent',
    'agency',
    'source',
    'sales channel',
    'seller',
    'ota',
    'partner',
    'kanal',
    'vertriebskanal',
    'reseburo',
    'reiseburo',
    'agentur',
    'canal',
    'agencia',
    'vendedor',
  ],
  departure_code: [
    'departure code',
    'departure',
    'trip code',
    'trip',
    'tour departure',
    'run',
    'session',
    'abfahrt',
    'abfahrtscode',
    'termin',
    'salida',
    'codigo de salida',
  ],
  tour_code: ['tour code', 'tour', 'product code', 'product', 'tourcode', 'reisecode', 'codigo del tour', 'excursion'],
  start_local: [
    'start local',
    'start',
    'start date',
    'tour date',
    'travel date',
    'date',
    'departure date',
    'service date',
    'datum',
    'reisedatum',
    'abfahrtsdatum',
    'beginn',
    'fecha',
    'fecha de salida',
    'inicio',
  ],
  unit_type: [
    'unit type',
    'type',
    'traveler type',
    'traveller type',
    'pax type',
    'paxtype',
    'passenger type',
    'guest type',
    'age group',
    'ticket type',
    'category',
    'reisendentyp',
    'personentyp',
    'tarif',
    'tipo',
    'tipo de viajero',
    'tipo de pasajero',
  ],
  full_name: [
    'full name',
    'name',
    'guest name',
    'passenger name',
    'traveler name',
    'traveller name',
    'passenger',
    'guest',
    'vollstandiger name',
    'teilnehmer',
    'gast',
    'nombre completo',
    'pasajero',
    'viajero',
  ],
  first_name: ['first name', 'given name', 'forename', 'forenames', 'christian name', 'vorname', 'nombre', 'nombres'],
  last_name: [
    'last name',
    'family name',
    'surname',
    'lastname',
    'nachname',
    'familienname',
    'zuname',
    'apellido',
    'apellidos',
  ],
  gender: ['gender', 'sex', 'geschlecht', 'sexo', 'genero'],
  date_of_birth: [
    'date of birth',
    'birth date',
    'birthdate',
    'birthday',
    'born',
    'dob',
    'geburtsdatum',
    'geburtstag',
    'geboren',
    'fecha de nacimiento',
    'nacimiento',
  ],
  nationality: [
    'nationality',
    'nat',
    'citizenship',
    'country',
    'nationalitat',
    'staatsangehorigkeit',
    'land',
    'nacionalidad',
    'pais',
  ],
  language: ['language', 'lang', 'preferred language', 'sprache', 'idioma', 'lengua'],
  email: [
    'email',
    'e mail',
    'mail',
    'email address',
    'e mail address',
    'e mail adresse',
    'correo',
    'correo electronico',
  ],
  phone: [
    'phone',
    'mobile',
    'mobile phone',
    'phone number',
    'telephone',
    'cell',
    'cell phone',
    'contact number',
    'whatsapp',
    'telefon',
    'handy',
    'mobil',
    'mobiltelefon',
    'telefono',
    'movil',
  ],
  dietary: [
    'dietary',
    'diet',
    'meal',
    'meals',
    'dietary requirements',
    'dietary restrictions',
    'dietary needs',
    'food allergies',
    'ernahrung',
    'essen',
    'verpflegung',
    'dieta',
    'comida',
    'alergias',
  ],
  mobility: ['mobility', 'mobility needs', 'accessibility', 'mobilitat', 'barrierefreiheit', 'movilidad'],
  medical_note: [
    'medical note',
    'medical',
    'medical conditions',
    'health',
    'medical information',
    'gesundheit',
    'medizinisches',
    'medico',
    'salud',
    'condiciones medicas',
  ],
  emergency_name: [
    'emergency name',
    'emergency contact',
    'emergency contact name',
    'notfallkontakt',
    'contacto de emergencia',
  ],
  emergency_phone: [
    'emergency phone',
    'emergency contact phone',
    'emergency number',
    'emergency contact number',
    'notfallnummer',
    'notfalltelefon',
    'telefono de emergencia',
  ],
  passport_number: [
    'passport number',
    'passport',
    'passport no',
    'passportnumber',
    'document number',
    'reisepass',
    'passnummer',
    'reisepassnummer',
    'pasaporte',
    'numero de pasaporte',
  ],
  passport_expiry: [
    'passport expiry',
    'passport expiration',
    'passport expiry date',
    'passport expiration date',
    'passport valid until',
    'pass gultig bis',
    'vencimiento del pasaporte',
    'caducidad del pasaporte',
  ],
  room_key: ['room key', 'roomkey', 'room', 'room no', 'room number', 'zimmer', 'zimmernummer', 'habitacion'],
  room_type: ['room type', 'roomtype', 'rooming', 'zimmertyp', 'zimmerart', 'tipo de habitacion'],
  pickup_place: [
    'pickup place',
    'pickup',
    'pick up',
    'pickup location',
    'pick up location',
    'hotel stop',
    'hotel',
    'meeting point',
    'abholort',
    'abholung',
    'treffpunkt',
    'recogida',
    'lugar de recogida',
    'punto de encuentro',
  ],
  pickup_time: ['pickup time', 'pick up time', 'stop time', 'abholzeit', 'hora de recogida'],
  paid: ['paid', 'amount paid', 'paid amount', 'bezahlt', 'gezahlt', 'pagado', 'importe pagado'],
  balance: ['balance', 'balance due', 'amount due', 'outstanding', 'offen', 'restbetrag', 'saldo', 'pendiente'],
  currency: ['currency', 'wahrung', 'moneda', 'divisa'],
  notes: [
    'notes',
    'note',
    'remarks',
    'remark',
    'comment',
    'comments',
    'special requests',
    'bemerkung',
    'bemerkungen',
    'notiz',
    'anmerkung',
    'notas',
    'observaciones',
    'comentarios',
  ],
}

const fieldOfWord = new Map<string, ImportField>()
for (const field of Object.keys(synonyms) as ImportField[]) {
  for (const word of [field, ...synonyms[field]]) fieldOfWord.set(wordKey(word), field)
}

/** Headers that together are found in no other kind of file. See docs/domain.md, "Imports". */
const presetHeaders: Readonly<Record<ImportPreset, readonly string[]>> = {
  tourplan: ['roomkey', 'roomtype', 'forename', 'surname', 'paxtype'],
  trovatrip: ['name', 'order id', 'traveler type', 'first name', 'last name'],
}

/** The field that a header names, alone. */
export const fieldOfHeader = (header: string): ImportField | undefined => fieldOfWord.get(headerKey(header))

/** A repeated header has its count behind it. */
const headerKey = (header: string): string => wordKey(header.replace(/ \(\d+\)$/, ''))

export interface Guess {
  readonly columns: Readonly<Record<string, ImportField>>
  readonly preset: ImportPreset | null
}

/** Suggests where columns go, by what they are called. The first column that fits takes a field; nothing is taken twice. */
export function guessColumns(headers: readonly string[]): Guess {
  const keys = headers.map(headerKey)
  const columns: Record<string, ImportField> = {}
  const taken = new Set<ImportField>()
  for (const [index, header] of headers.entries()) {
    const field = fieldOfWord.get(keys[index] ?? '')
    if (!field || taken.has(field)) continue
    columns[header] = field
    taken.add(field)
  }
  // "Name" in addition to first and last name adds nothing
  if (taken.has('last_name')) {
    for (const header of headers) if (columns[header] === 'full_name') delete columns[header]
  }
  const known = new Set(keys.map((key) => key.replaceAll(' ', '')))
  const preset = (Object.keys(presetHeaders) as ImportPreset[]).find((name) =>
    presetHeaders[name].every((header) => known.has(header.replaceAll(' ', ''))),
  )
  return { columns, preset: preset ?? null }
}
