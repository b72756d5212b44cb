import { localeNames, locales } from '../../ui/locale.ts'
import { m } from '../../paraglide/messages.js'
import { formatLocalTime, formatWeekday } from '../../ui/format.ts'
import { timeZones, zoneOption } from '../../ui/time-zones.ts'
import type { SettingSection } from './settings-model.ts'

const currencyName = (code: string): string =>
  new Intl.DisplayNames(document.documentElement.lang || 'en', { type: 'currency' }).of(code) ?? code

/** 0 is Sunday on the wire, the formats count from Monday as 1. */
const weekdays = [1, 6, 0]

/** A time that looks different in both formats. */
const sample = '14:30'

/** Fields of `/settings/general`. */
export const generalSections: readonly SettingSection[] = [
  {
    key: 'organization',
    title: m.settings_organization,
    fields: [
      { path: 'name', column: 'name', label: m.settings_name, kind: 'text' },
      { path: 'phone', column: 'general.phone', label: m.settings_phone, hint: m.settings_phone_hint, kind: 'text' },
      {
        path: 'emergencyNumber',
        column: 'general.emergencyNumber',
        label: m.settings_emergency,
        hint: m.settings_emergency_hint,
        kind: 'text',
      },
      {
        path: 'payAtStart',
        column: 'general.payAtStart',
        label: m.settings_pay_at_start,
        hint: m.settings_pay_at_start_hint,
        kind: 'lines',
      },
      {
        path: 'workingHours.from',
        column: 'working_hours.from',
        label: m.settings_hours_from,
        hint: m.settings_hours_hint,
        kind: 'time',
      },
      { path: 'workingHours.to', column: 'working_hours.to', label: m.settings_hours_to, kind: 'time' },
    ],
  },
  {
    key: 'invoices',
    title: m.settings_invoices,
    text: m.settings_invoices_text,
    fields: [
      {
        path: 'billing.legalName',
        column: 'general.legalName',
        label: m.settings_legal_name,
        hint: m.settings_legal_name_hint,
        kind: 'text',
      },
      { path: 'billing.address', column: 'general.address', label: m.settings_address, kind: 'lines' },
      { path: 'billing.taxNumber', column: 'general.taxNumber', label: m.settings_tax_number, kind: 'text' },
      {
        path: 'billing.invoiceNote',
        column: 'general.invoiceNote',
        label: m.settings_invoice_note,
        hint: m.settings_invoice_note_hint,
        kind: 'lines',
      },
      {
        path: 'billing.taxScheme',
        column: 'general.taxScheme',
        label: m.settings_tax_scheme,
        hint: m.settings_tax_scheme_hint,
        kind: 'choice',
        options: () => [
          { value: 'none', label: m.settings_tax_scheme_none() },
          { value: 'included', label: m.settings_tax_scheme_included() },
          { value: 'margin', label: m.settings_tax_scheme_margin() },
        ],
      },
      {
        path: 'billing.taxName',
        column: 'general.taxName',
        label: m.settings_tax_name,
        hint: m.settings_tax_name_hint,
        kind: 'text',
      },
      {
        path: 'billing.taxPercent',
        column: 'general.taxPercent',
        label: m.settings_tax_percent,
        hint: m.settings_tax_percent_hint,
        kind: 'number',
        unit: () => '%',
        step: 0.01,
      },
      {
        path: 'billing.feeTax',
        column: 'general.feeTax',
        label: m.settings_fee_tax,
        kind: 'choice',
        options: () => [
          { value: 'taxed', label: m.settings_fee_tax_taxed() },
          { value: 'exempt', label: m.settings_fee_tax_exempt() },
        ],
      },
    ],
  },
  {
    key: 'region',
    title: m.settings_region,
    fields: [
      {
        path: 'timeZone',
        column: 'time_zone',
        label: m.settings_zone,
        hint: m.settings_zone_hint,
        kind: 'search',
        options: () => timeZones().map(zoneOption),
      },
      {
        path: 'locale',
        column: 'locale',
        label: m.settings_language,
        hint: m.settings_language_hint,
        kind: 'choice',
        options: () => locales.map((value) => ({ value, label: localeNames[value] })),
      },
      {
        path: 'currency',
        column: 'currency',
        label: m.settings_currency,
        hint: m.settings_currency_hint,
        kind: 'search',
        options: () =>
          Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} · ${currencyName(value)}` })),
      },
      {
        path: 'weekStart',
        column: 'week_start',
        label: m.settings_week_start,
        hint: m.settings_week_start_hint,
        kind: 'choice',
        isNumeric: true,
        options: () => weekdays.map((day) => ({ value: String(day), label: formatWeekday(day === 0 ? 7 : day) })),
      },
      {
        path: 'timeFormat',
        column: 'time_format',
        label: m.settings_time_format,
        hint: m.settings_time_format_hint,
        kind: 'choice',
        options: () => [
          { value: '24h', label: m.settings_time_format_24({ example: formatLocalTime(sample, '24h') }) },
          { value: '12h', label: m.settings_time_format_12({ example: formatLocalTime(sample, '12h') }) },
        ],
      },
      {
        path: 'units',
        column: 'units',
        label: m.settings_units,
        kind: 'choice',
        options: () => [
          { value: 'metric', label: m.settings_units_metric() },
          { value: 'imperial', label: m.settings_units_imperial() },
        ],
      },
    ],
  },
  {
    key: 'map',
    title: m.settings_map,
    text: m.settings_map_text,
    fields: [
      { path: 'map.lat', column: 'map_center_lat', label: m.settings_lat, kind: 'number', unit: () => '°', step: 0.01 },
      { path: 'map.lng', column: 'map_center_lng', label: m.settings_lng, kind: 'number', unit: () => '°', step: 0.01 },
      {
        path: 'map.zoom',
        column: 'map_zoom',
        label: m.settings_zoom,
        hint: m.settings_zoom_hint,
        kind: 'number',
        step: 0.5,
      },
      {
        path: 'tiles.source',
        column: 'tiles_source',
        label: m.settings_tiles,
        hint: m.settings_tiles_hint,
        kind: 'choice',
        isEmptyAtFirst: true,
        options: () => [
          { value: 'offline', label: m.settings_tiles_offline() },
          { value: 'style', label: m.settings_tiles_style() },
          { value: 'pmtiles', label: m.settings_tiles_pmtiles() },
        ],
      },
      {
        path: 'tiles.address',
        column: 'tiles_address',
        label: m.settings_tiles_address,
        hint: m.settings_tiles_address_hint,
        kind: 'text',
        isEmptyAtFirst: true,
      },
    ],
  },
  {
    key: 'routing',
    title: m.settings_routing,
    text: m.settings_routing_text,
    fields: [
      {
        path: 'routing.router',
        column: 'router_kind',
        label: m.settings_router,
        hint: m.settings_router_hint,
        kind: 'choice',
        isEmptyAtFirst: true,
        options: () => [
          { value: 'none', label: m.settings_router_none() },
          { value: 'osrm', label: m.settings_router_osrm() },
          { value: 'valhalla', label: m.settings_router_valhalla() },
        ],
      },
      {
        path: 'routing.address',
        column: 'router_address',
        label: m.settings_router_address,
        hint: m.settings_router_address_hint,
        kind: 'text',
        isEmptyAtFirst: true,
      },
    ],
  },
  {
    key: 'retention',
    title: m.settings_retention,
    text: m.settings_retention_text,
    fields: [
      {
        path: 'retention.sensitiveDays',
        column: 'sensitive_days',
        label: m.settings_sensitive_days,
        hint: m.settings_sensitive_days_hint,
        kind: 'number',
        unit: m.settings_days,
      },
      {
        path: 'retention.positionsDays',
        column: 'positions_days',
        label: m.settings_position_days,
        hint: m.settings_position_days_hint,
        kind: 'number',
        unit: m.settings_days,
      },
    ],
  },
]
