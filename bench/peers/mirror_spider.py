"""A scrapy spider that fetches every page it can reach and keeps each, as those write one who want a copy of a site.

    scrapy runspider mirror_spider.py -a start=URL -a folder=FOLDER
"""
import hashlib
import pathlib

import scrapy
from scrapy.linkextractors import LinkExtractor


class MirrorSpider(scrapy.Spider):
    name = 'mirror'
    custom_settings = {'LOG_LEVEL': 'ERROR', 'ROBOTSTXT_OBEY': True, 'CONCURRENT_REQUESTS': 16, 'CONCURRENT_REQUESTS_PER_DOMAIN': 16,
                       'TELNETCONSOLE_ENABLED': False, 'DEPTH_LIMIT': 0}

    def start_requests(self):
        self.links = LinkExtractor()
        self.folder = pathlib.Path(self.folder)
        yield scrapy.Request(self.start)

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        (self.folder / hashlib.md5(response.url.encode()).hexdigest()).write_bytes(response.body)
        for link in self.links.extract_links(response):
            if link.url.startswith(self.start):
                yield response.follow(link, self.parse)
