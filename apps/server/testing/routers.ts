import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Services } from '../src/context.ts'

export interface TestRouter {
  readonly host: string
  readonly address: string
  /** What it was asked for, oldest first: the path, and the body where there is one. */
  readonly asked: { readonly path: string; readonly body: unknown }[]
  /** What it answers from now on; null hangs up. */
  answer(next: { status?: number; body: unknown; headers?: Record<string, string> } | null): void
  close(): Promise<void>
}

/** The server of an installation that lets organizations use the router next to it. */
export const servicesNextTo = (services: Services, { host }: TestRouter): Services => ({
  ...services,
  config: { ...services.config, routerHosts: [host] },
})

/** A fake router with its own address: it returns the given answers in the published formats. @param port Any free one by default. */
export async function testRouter(port = 0): Promise<TestRouter> {
  const asked: { path: string; body: unknown }[] = []
  let next: Parameters<TestRouter['answer']>[0] = { body: osrmWay(0, 0) }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      asked.push({ path: request.url ?? '', body: text === '' ? null : JSON.parse(text) })
      if (next === null) return void request.socket.destroy()
      const { status = 200, body, headers = {} } = next
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    address: `http://${host}/`,
    asked,
    answer: (wanted) => {
      next = wanted
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** As OSRM's route service answers, with its other fields. */
export const osrmWay = (seconds: number, meters: number) => ({
  code: 'Ok',
  routes: [{ legs: [], weight_name: 'routability', weight: seconds, duration: seconds, distance: meters }],
  waypoints: [],
})

/** As Valhalla's route answers: kilometers. */
export const valhallaWay = (seconds: number, meters: number) => ({
  trip: { status: 0, units: 'kilometers', legs: [], summary: { time: seconds, length: meters / 1000 } },
})
