import { Module } from '@nestjs/common';
import { BackendsModule } from '../backends/backends.module.js';
import { MonitorController } from './monitor.controller.js';

@Module({ imports: [BackendsModule], controllers: [MonitorController] })
export class MonitorModule {}
