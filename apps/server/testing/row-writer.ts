import { sql } from 'kysely'
import type { TestCaller, TestWorld } from './world.ts'
import { insertRow, insertSamples, refusalOf, sampleRow, updateRows, type Row, type Samples } from './sample-rows.ts'

export interface SampleOffice {
  readonly caller: TestCaller
  readonly samples: Samples
}

/** The samples of all tables in the organization of a member. */
export const samplesOf = (member: TestCaller): Promise<Samples> => member.transaction((tx) => insertSamples(tx, member))

/** An administrator of an organization in which every table has a row. */
export async function sampleOffice(world: TestWorld): Promise<SampleOffice> {
  const caller = await world.as('admin')
  return { caller, samples: await samplesOf(caller) }
}

/** Short ways to write one row after another as one member. */
export interface RowWriter {
  /** Inserts a sample with changes and returns its id. */
  readonly add: (table: string, more?: Row) => Promise<string>
  readonly change: (table: string, id: string, values: Row) => Promise<bigint>
  readonly read: (table: string, id: string) => Promise<Row>
  /** What refused an insert, or a change. */
  readonly refusedAdd: (table: string, more: Row) => Promise<string>
  readonly refusedChange: (table: string, id: string, values: Row) => Promise<string>
}

/** @param office Asked with every row: the writer of a file may be made before its tests begin. */
export function rowWriter(office: () => SampleOffice): RowWriter {
  const add: RowWriter['add'] = async (table, more = {}) => {
    const { caller, samples } = office()
    const row = sampleRow(table, samples, more)
    await caller.transaction((tx) => insertRow(tx, table, row))
    return String(row['id'])
  }
  const change: RowWriter['change'] = (table, id, values) => {
    const { caller } = office()
    return caller.transaction((tx) => updateRows(tx, table, { org_id: caller.orgId, id }, values))
  }
  return {
    add,
    change,
    read: async (table, id) => {
      const { caller } = office()
      const select = sql<Row>`select * from ${sql.table(table)} where org_id = ${caller.orgId} and id = ${id}`
      const { rows } = await caller.transaction((tx) => select.execute(tx))
      return rows[0] ?? {}
    },
    refusedAdd: (table, more) => refusalOf(add(table, more)),
    refusedChange: (table, id, values) => refusalOf(change(table, id, values)),
  }
}
