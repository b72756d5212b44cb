import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'
import { workbook, xml } from '../../../testing/workbooks.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'

// Days and times of a file that lost their format, and are told on the columns step.

let world: TestWorld
let importer: Importer
let gold: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ importer, gold } = await importDesk(world))
})

const csv = (...lines: string[]) => ['Order id;Departure;Name;Born;Pickup;Pickup time', ...lines].join('\n')
const columnOf = ({ columns }: Awaited<ReturnType<Importer['upload']>>, header: string) =>
  columns.find((column) => column.header === header)

test('numbers in columns of dates and times are told with what they mean, read so, and refused where a person says so', async () => {
  const batch = await importer.upload(csv(`A-1;${gold.code};Amara Okafor;27852;City Hall;0.34722222`))
  expect(columnOf(batch, 'Born')?.dayNumbers).toEqual({
    cells: 1,
    example: '27852',
    since1900: '1976-04-02',
    since1904: '1980-04-03',
    reading: '1900',
  })
  expect(columnOf(batch, 'Pickup time')?.dayNumbers).toMatchObject({ example: '0.34722222', since1900: '08:20' })
  expect(columnOf(batch, 'Order id')?.dayNumbers).toBeNull()

  const refused = await importer.preview(await importer.map(batch, { dayNumbers: 'refuse' }))
  expect((await importer.rows(refused))[0]?.warnings.map(({ code }) => code)).toEqual([
    'date_unreadable',
    'time_unreadable',
  ])
  await importer.apply(await importer.preview(await importer.map(refused, { dayNumbers: null })))
  expect(await importer.guests()).toMatchObject([{ name: 'Amara Okafor', born: '1976-04-02', pickup: 'City Hall' }])
})

test('times with a point are no parts of a day', async () => {
  const batch = await importer.upload(
    csv(`A-1;${gold.code};Amara Okafor;;City Hall;8.20`, `A-2;${gold.code};Mia Wolf;;City Hall;0.25`),
  )
  expect(columnOf(batch, 'Pickup time')?.dayNumbers).toBeNull()
})

test('a workbook that counts from 1904 says what its numbers without a format mean', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const content = workbook(
    `<row>${['Order id', 'Departure', 'Name', 'Born'].map(text).join('')}</row>
     <row>${['A-1', gold.code, 'Amara Okafor'].map(text).join('')}<c><v>26390</v></c></row>`,
    {
      'xl/workbook.xml': xml(
        '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="Guests" r:id="r7"/></sheets></workbook>',
      ),
    },
  )
  const batch = await importer.upload(Buffer.from(content), 'guests.xlsx')
  expect(columnOf(batch, 'Born')?.dayNumbers).toMatchObject({ since1904: '1976-04-02', reading: '1904' })
  await importer.apply(await importer.preview(batch))
  expect(await importer.guests()).toMatchObject([{ born: '1976-04-02' }])
})
