import http from 'node:http'

/** Where journeys put their fake sender of SMS: the only one in the server's own network that it may ask. */
export const phonePort = 18_087

export interface SentText {
  readonly channel: string
  readonly to: string
  readonly text: string
  /** As it was signed. */
  readonly signature: string | undefined
}

/** A service that takes every text. */
export async function phoneService(): Promise<{ texts: SentText[]; close: () => Promise<void> }> {
  const texts: SentText[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { data: Omit<SentText, 'signature'> }
      texts.push({ ...data, signature: request.headers['webhook-signature']?.toString() })
      response.writeHead(202).end()
    })
  })
  await new Promise<void>((listening) => server.listen(phonePort, '127.0.0.1', listening))
  return {
    texts,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
