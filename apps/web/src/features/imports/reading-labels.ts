import type { FileDelimiter, TextEncodingName } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'

const separators: Record<FileDelimiter, () => string> = {
  ',': m.imports_commas,
  ';': m.imports_semicolons,
  '\t': m.imports_tabs,
  '|': m.imports_bars,
}

/** In the singular, with the character where it can be seen. */
export const separatorLabels: Record<FileDelimiter, () => string> = {
  ',': m.imports_separator_comma,
  ';': m.imports_separator_semicolon,
  '\t': m.imports_separator_tab,
  '|': m.imports_separator_bar,
}

/** Names that are the same in every language. */
const encodings: Record<TextEncodingName, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'iso-8859-2': 'ISO 8859-2',
  'windows-1251': 'Windows-1251',
  gb18030: 'GBK (GB 18030)',
  big5: 'Big5',
  shift_jis: 'Shift-JIS',
}
const regions: Partial<Record<TextEncodingName, () => string>> = {
  'windows-1252': m.imports_region_western,
  'windows-1250': m.imports_region_central,
  'iso-8859-2': m.imports_region_central,
  'windows-1251': m.imports_region_cyrillic,
  gb18030: m.imports_region_chinese_simplified,
  big5: m.imports_region_chinese_traditional,
  shift_jis: m.imports_region_japanese,
}

/** `Windows-1250, Central European`. */
export function encodingLabel(encoding: TextEncodingName): string {
  const region = regions[encoding]
  const name = encodings[encoding]
  return region ? m.imports_encoding_of({ name, region: region() }) : name
}

/** `UTF-8, semicolons`. */
export const formText = ({ encoding, delimiter }: Pick<ImportBatch, 'encoding' | 'delimiter'>): string =>
  encoding === 'xlsx'
    ? m.imports_workbook()
    : [encodings[encoding], delimiter === null ? '' : separators[delimiter]()].filter(Boolean).join(', ')
