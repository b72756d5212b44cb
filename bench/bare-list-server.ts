import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'

// The peer of the list: node:http and pg, nothing else. It checks no token and no right, and sends the statements that it is given.

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Recorded {
  readonly body: string
  readonly statements: readonly Statement[]
}

/** Started with `BARE_LIST` (how to connect), it waits for the statements of each request and answers with its port. */
export const bareListProgram = import.meta.filename

type Row = { total: number; id: string | null } & Record<string, unknown>

/** Prepared by name, as ours are. */
const names = new Map<string, string>()

async function run(client: PoolClient, statements: readonly Statement[]): Promise<{ total: number; rows: unknown[] }> {
  let page: Row[] = []
  for (const { text, values } of statements) {
    const name = names.get(text) ?? `statement_${names.size}`
    names.set(text, name)
    const result = await client.query<Row>(values.length === 0 ? { text } : { name, text, values: [...values] })
    if (result.rows[0]?.total !== undefined) page = result.rows
  }
  const people = page.filter((row) => row.id !== null)
  return { total: page[0]?.total ?? 0, rows: people.map(({ total: _total, ...row }) => row) }
}

function serve(recorded: readonly Recorded[], config: PoolConfig): void {
  const pool = new Pool({ max: 10, ...config })
  const transactions = new Map(recorded.map(({ body, statements }) => [JSON.stringify(JSON.parse(body)), statements]))
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      answer(pool, transactions.get(JSON.stringify(asked)) ?? []).then(
        (result) => {
          const text = Buffer.from(JSON.stringify({ result }))
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function answer(pool: Pool, statements: readonly Statement[]): Promise<{ total: number; rows: unknown[] }> {
  const client = await pool.connect()
  try {
    return await run(client, statements)
  } finally {
    client.release()
  }
}

const connection = process.env['BARE_LIST']
if (connection && process.argv[1] === bareListProgram) {
  types.setTypeParser(types.builtins.INT8, Number)
  process.once('message', (recorded) => serve(recorded as Recorded[], JSON.parse(connection) as PoolConfig))
}
