import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type ClientConfig } from 'pg'

// The floor of the live stream: node:http, LISTEN, and the same bytes to everybody who is connected.

export const bareStreamProgram = import.meta.filename
export const bareStreamChannel = 'bare_stream'

const connection = process.env['BARE_STREAM']
if (connection && process.argv[1] === bareStreamProgram) {
  const client = new Client(JSON.parse(connection) as ClientConfig)
  await client.connect()
  const open = new Set<http.ServerResponse>()
  client.on('notification', ({ payload }) => {
    const frame = `event: document\ndata: ${payload}\n\n`
    for (const response of open) response.write(frame)
  })
  await client.query(`listen ${bareStreamChannel}`)
  const server = http.createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('event: hello\ndata: {}\n\n')
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
