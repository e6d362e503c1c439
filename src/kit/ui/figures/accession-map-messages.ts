import { defineMessages } from '../../../contracts/text.ts'

/** Of the map of accessions alone: pages without one do not load it. */
export default defineMessages({
  en: {
    'map.title': 'Origin of the accessions',
    'map.method':
      'Equal Earth projection (Šavrič, Patterson and Jenny 2018); coastlines from Natural Earth, without borders. Accessions from the same site are spread around it.',
    'map.placed': '{placed, number} of {total, number} accessions have coordinates.',
    'map.noPlaces': 'No accessions have latitude and longitude.',
    'map.view': 'Map extent',
    'map.world': 'World',
    'map.fit': 'Fit to accessions',
    'map.colour': 'Colour',
    'map.byValue': 'Value',
    'map.byGroup': 'Group',
    'map.none': 'no value',
    'map.other': 'others',
    'map.simulated': 'These values are simulated.',
    'column.accession': 'Accession',
    'column.name': 'Name',
    'column.group': 'Group',
    'column.latitude': 'Latitude',
    'column.longitude': 'Longitude',
    'column.value': 'Value',
  },
  zh: {
    'map.title': '材料的来源地',
    'map.method':
      'Equal Earth 投影（Šavrič、Patterson 与 Jenny，2018）；海岸线取自 Natural Earth，不绘边界。同一地点的材料在其周围散开。',
    'map.placed': '{total, number} 份材料中有 {placed, number} 份有坐标。',
    'map.noPlaces': '材料均未注明纬度与经度。',
    'map.view': '地图范围',
    'map.world': '世界',
    'map.fit': '材料所在区域',
    'map.colour': '着色',
    'map.byValue': '性状值',
    'map.byGroup': '组',
    'map.none': '无数值',
    'map.other': '其他',
    'map.simulated': '以下数值为模拟数据。',
    'column.accession': '材料',
    'column.name': '名称',
    'column.group': '组',
    'column.latitude': '纬度',
    'column.longitude': '经度',
    'column.value': '值',
  },
})
