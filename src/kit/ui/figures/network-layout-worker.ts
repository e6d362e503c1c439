import { type LayoutRequest, layOutNetwork } from './network-layout.ts'

// The page goes on answering while a large network is laid out.
addEventListener('message', ({ data }: MessageEvent<{ request: LayoutRequest; number: number }>) => {
  postMessage({ number: data.number, places: layOutNetwork(data.request) })
})
