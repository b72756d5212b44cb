import { strToU8, zipSync, type Zippable } from 'fflate'

export const xml = (inner: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${inner}`)

/** A workbook as spreadsheet programs write them: shared texts behind the sheet, typed dates, cells left out. */
export function workbook(sheet: string, more: Zippable = {}): Uint8Array {
  return zipSync({
    'xl/worksheets/sheet1.xml': xml(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    'xl/workbook.xml': xml(
      '<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Guests" sheetId="1" r:id="r7"/><sheet name="Other" r:id="r8"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': xml(
      '<Relationships><Relationship Id="r8" Target="worksheets/sheet2.xml"/><Relationship Id="r7" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/styles.xml': xml(
      `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="[$€] 0.00"/></numFmts>
       <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
       <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml': xml(
      '<sst><si><t>Name</t></si><si><r><t>Åse </t></r><r><t xml:space="preserve">Nyström</t></r><rPh><t>nope</t></rPh></si><si><t>Born &amp; bred</t></si></sst>',
    ),
    ...more,
  })
}

/** Header and one guest, to be put before and after whatever else a sheet holds. */
export const plainRows =
  '<row r="1"><c t="s"><v>0</v></c></row><row r="2"><c t="inlineStr"><is><t>Okafor</t></is></c></row>'
